"""What the value of an option or argument can be: the words, files, profiles or known ids that a shell may offer."""

import re
from typing import Any, Literal, NamedTuple

from roomctl.contract.operations import BY_NAME

Kind = Literal["flag", "text", "word", "file", "profile", "id", "name"]
OPTIONAL = re.compile(r"\[(.*)\]")
IDENTIFIERS = {"ID", "UUID", "SET", "SOCIAL", "ROOM", "EVENT", "RECORDING", "TRANSCRIPTION", "USER"}
NAMED = {"NAME", "SET", "SOCIAL", "ROOM"}
FILES = {"FILE", "OLD", "NEW", "SCRIPT"}
NOUNS = {
    "room set": "roomset",
    "social": "room",
    "room": "room",
    "event": "event",
    "recording": "recording",
    "transcription": "transcription",
    "user": "user",
}
GROUPS = {"roomset": "roomset", "social": "room", "invite": "room", "rules": "roomset"}


class Value(NamedTuple):
    """What can stand there: one of some words, a file, a profile, or an id or exact name of a kind of thing."""

    kind: Kind = "text"
    words: tuple[str, ...] = ()


FLAG = Value("flag")


def placeholder(param: Any) -> str:
    """Give the word that stands for a value in a synopsis, without brackets and dots."""
    word = (param.metavar or "TEXT").removesuffix("...")
    optional = OPTIONAL.fullmatch(word)
    return optional[1] if optional else word


def value_of(param: Any, path: tuple[str, ...]) -> Value:
    """Say what an option or argument of a command takes."""
    choices = getattr(getattr(param.type, "func", None), "choices", ())
    words = set(re.split(r"[^A-Za-z]+", placeholder(param)))
    if getattr(param, "is_flag", False):
        value = FLAG
    elif choices:
        value = Value("word", tuple(choices))
    elif "OPERATION" in words:
        value = Value("word", tuple(BY_NAME))
    elif words & FILES:
        value = Value("file")
    elif _takes_a_profile(param, path):
        value = Value("profile")
    elif words & IDENTIFIERS and (kind := _thing(param, words, path)):
        value = Value("name" if words & NAMED else "id", (kind,))
    else:
        value = Value()
    return value


def _takes_a_profile(param: Any, path: tuple[str, ...]) -> bool:
    if param.param_type_name == "argument":
        return path[:1] == ("profile",)
    return any(name.endswith("profile") for name in param.opts)


def _thing(param: Any, words: set[str], path: tuple[str, ...]) -> str:
    """Find what an id belongs to: said by the placeholder, the option's name, the help, else the group."""
    sources = [" ".join(sorted(words - {"ID", "UUID", "NAME"})).lower().replace("set", "room set")]
    if param.param_type_name == "option":
        sources.append(param.opts[-1].strip("-").replace("-", " "))
    sources.append(param.help or "")
    for source in sources:
        for noun, kind in NOUNS.items():
            if re.match(rf"((the|a|an|only) )?{noun}s?\b(?! id)", source):
                return kind
    group = path[0] if path else ""
    own = param.param_type_name == "argument" or param.opts[-1] == "--id"
    return (GROUPS.get(group) or NOUNS.get(group, "")) if own and words & {"ID"} else ""
