"""The command tree → completion for bash 3.2 and later, zsh and fish: a table put into `roomctl.SHELL` beside this."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from shlex import quote

from roomctl.cli.help import TOPICS, lint_codes
from roomctl.cli.options import first_sentence
from roomctl.docs.tree import Parameter, Row, Value, option_groups


def script(shell: str, rows: list[Row]) -> str:
    template = Path(__file__).with_name(f"roomctl.{shell}").read_text(encoding="utf-8")
    topics = [(name, first_sentence(each.about)) for name, each in TOPICS.items()]
    before = {"help": (*topics, *rows[0].below), "explain": rows[0].below}  # what follows a command follows these, too
    rows = [row._replace(below=before.get(row.words, row.below)) for row in rows]
    code = Parameter("CODE", Value("word", lint_codes()), "", required=False, repeats=False)
    topic = next(row for row in rows if row.words == "help")
    rows.append(topic._replace(path=("lint",), below=(), arguments=(code,)))  # `help lint`, without its `help`
    table = _fish(rows) if shell == "fish" else _bash_or_zsh(rows, zsh=shell == "zsh")
    return template.replace("#TABLE", "\n".join(table))


def _bash_value(parameter: Parameter) -> str:
    return "" if parameter.value.kind == "text" else " ".join([parameter.value.kind, *parameter.value.words])


def _bash_option(option: Parameter) -> Iterator[str]:
    takes = "" if option.value.kind == "flag" else f"={_bash_value(option)}"
    return (name + takes for name in (*option.names, *option.off))


def _argument(index: int, each: Parameter, *, zsh: bool) -> str:
    if zsh:
        return ("*" if each.repeats else str(index) if each.required else f"{index}:") + _zsh_value(each)
    return "*" * each.repeats + _bash_value(each)


def _zsh_option(option: Parameter) -> Iterator[str]:
    names = (*option.names, *option.off)
    start = "*" if option.repeats else "(- *)" if "--help" in names else f"({' '.join(names)})" * (len(names) > 1)
    text = f"[{_zsh_text(option.help or option.names[-1].strip('-').replace('-', ' '))}]"
    for name in names:
        takes = "" if option.value.kind == "flag" else "=" if name.startswith("--") else "+"
        yield start + name + takes + text + (takes and _zsh_value(option))


def _zsh_value(parameter: Parameter) -> str:
    kind, words = parameter.value
    texts = " ".join(map(_zsh_text, words))
    actions = {"list": f"{{_sequence compadd - {texts}}}", "file": "_files", "profile": "_roomctl_profiles"}
    actions["sort"] = f'{{if compset -P "*,"; then compadd asc desc; else compadd - {texts}; fi}}'
    actions |= dict.fromkeys(("word", "zone"), f"({texts})")
    actions |= dict.fromkeys(("id", "name"), f"{{_roomctl_kept {kind} {' '.join(words)}}}")
    return f":{_zsh_text(parameter.placeholder)}:{actions.get(kind, ' ')}"


def _zsh_text(text: str) -> str:
    return "".join("\\" + letter if letter in "\\[]:()" else letter for letter in text.replace("`", ""))


def _bash_or_zsh(rows: list[Row], *, zsh: bool) -> Iterator[str]:
    """Write the table as a function that both shells can read."""
    yield "# Look up what may follow a command: sets options, below and arguments."
    yield "_roomctl_follows() {"
    yield "    options=() below=() arguments=()"
    for places, options in option_groups(rows):
        commands = "*" if len(places) == len(rows) else " | ".join(quote(row.words) for row in places)
        found = _array(word for each in options for word in (_zsh_option if zsh else _bash_option)(each))
        yield f"    case $command in {commands}) options+={found} ;; esac"
    yield "    case $command in"
    for row in rows:
        if row.below:
            below = map(":".join, row.below) if zsh else (name for name, _ in row.below)
            yield f"    {quote(row.words)}) below={_array(below)} ;;"
        elif row.arguments:
            found = _array(_argument(index, each, zsh=zsh) for index, each in enumerate(row.arguments, 1))
            yield f"    {quote(row.words)}) arguments={found} ;;"
    yield from ("    esac", "}")


def _array(words: Iterable[str]) -> str:
    return f"({' '.join(map(quote, words))})"


def _fish(rows: list[Row]) -> Iterator[str]:
    """Write a line for each option and for what may follow a command, with a condition that reads the line."""
    start = "complete -c roomctl"
    yield f"set -g __roomctl_takes {_fish_quoted(_takes(rows))}"
    for row in rows:
        if row.below:
            words = (rf"{name}\t{_fish_quoted(summary)}" for name, summary in row.below)
            yield f"{start} -n {_fish_at(_pattern(row))} -a {_fish_quoted(' '.join(words))}"
        for index, argument in enumerate(row.arguments):
            if value := _fish_value(argument):
                times = f"(.*\\n){{{index}{',' * argument.repeats}}}$"
                yield f"{start} -n {_fish_at(_pattern(row) + times)} -k{value}"
    for places, options in option_groups(rows):
        yield f"set -l at {_fish_at('|'.join(map(_pattern, places)) if len(places) < len(rows) else '')}"
        for option in options:
            takes = {"flag": "", "file": " -r"}.get(option.value.kind, " -x") + _fish_value(option)
            about = option.help and f" -d {_fish_quoted(option.help)}"
            names = (
                f" -l {name[2:]}" if name[1] == "-" else f" -s {name[1:]}" for name in (*option.names, *option.off)
            )
            yield f"{start} -n $at{''.join(names)}{takes}{about}"


def _takes(rows: list[Row]) -> str:
    """Make the pattern of an option whose value is the next word, or of letters of which the last is one."""
    options = [option for row in rows for option in row.options]
    flags = {name for option in options if option.value.kind == "flag" for name in option.names}
    names = dict.fromkeys(name.lstrip("-") for option in options for name in option.names if name not in flags)
    letters = "".join(name for name in names if len(name) == 1)
    return f"^(--({'|'.join(name for name in names if len(name) > 1)})|-[^-{letters}]*[{letters}])$"


def _pattern(row: Row) -> str:
    """Match a line that has come to a command; to a group only while nothing follows it."""
    return "^" + "".join(f"{word}\\n" for word in row.path) + "$" * bool(row.below)


def _fish_at(pattern: str) -> str:
    return _fish_quoted(f"__roomctl_at {_fish_quoted(pattern)}")


def _fish_value(parameter: Parameter) -> str:
    kind, words = parameter.value
    texts = " ".join(words)
    values = {each: f" -a '(__roomctl_{each} {texts})'" for each in ("list", "sort")}
    values |= {"file": " -F", "profile": " -a '(__roomctl_profiles)'"}
    values |= dict.fromkeys(("word", "zone"), f" -a {_fish_quoted(texts)}")
    values |= dict.fromkeys(("id", "name"), f" -a '(__roomctl_kept {kind} {texts})'")
    return values.get(kind, "")


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("`", "").replace("\\", "\\\\").replace("'", "\\'") + "'"
