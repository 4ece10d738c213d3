"""The command tree → completion for zsh: one function for each command, on zsh's own `_arguments`."""

from collections.abc import Iterator

from roomctl.manual.bash import quoted
from roomctl.manual.tree import Argument, Node, Option
from roomctl.manual.values import Value

HEAD = r"""#compdef roomctl
# zsh completion for roomctl, made from its command tree: `python -m roomctl.manual write`
# Put it into a folder of $fpath under the name _roomctl, or source it after compinit.
# At Tab no process is started: names and ids come from two small files in roomctl's cache folder.

# Say in which folder roomctl keeps what completion may offer: sets folder.
_roomctl_folder() {
    if [[ -n $ROOMCTL_CACHE ]]; then
        folder=$ROOMCTL_CACHE
    elif [[ $XDG_CACHE_HOME == /* ]]; then
        folder=$XDG_CACHE_HOME/roomctl
    elif [[ $OSTYPE == darwin* ]]; then
        folder=$HOME/Library/Caches/roomctl
    else
        folder=$HOME/.cache/roomctl
    fi
    folder+=/completion
}

# Offer what was seen lately of a kind of thing: by name where one may stand, an id where it is begun or has no name.
_roomctl_seen() {
    local folder line id name ret=1
    local -a expl lines names ids beside_names beside_ids
    _roomctl_folder
    [[ -r $folder/ids ]] || return 1
    lines=("${(@f)"$(<$folder/ids)"}")
    for line in ${(M)lines:#$2$'\t'*}; do
        line=${line#*$'\t'} id=${line%%$'\t'*} name=${line#*$'\t'}
        if [[ $1 == name && -n $name ]]; then
            names+=("$name") beside_names+=("$name  -- $id")
        fi
        if [[ $1 == id || -z $name || -n $PREFIX ]]; then
            ids+=("$id") beside_ids+=("$id  -- $name")
        fi
    done
    _wanted -V names expl "$2" compadd -l -d beside_names -a names && ret=0
    _wanted -V ids expl "$2 id" compadd -l -d beside_ids -a ids && ret=0
    return ret
}

_roomctl_profiles() {
    local folder
    local -a expl names
    _roomctl_folder
    [[ -r $folder/profiles ]] || return 1
    names=("${(@f)"$(<$folder/profiles)"}")
    _wanted profiles expl profile compadd -a names
}

# Complete a command that has commands below it: its own name is $1, they stand in below as NAME:TEXT.
_roomctl_group() {
    local curcontext=$curcontext state line ret=1
    local -A opt_args
    _arguments -s -S -C $options '1:command:->command' '*::argument:->argument' && ret=0
    case $state in
    command) _describe -t commands command below && ret=0 ;;
    argument) (( $+functions[$1-$line[1]] )) && $1-$line[1] && ret=0 ;;
    esac
    return ret
}
"""

TAIL = """
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _roomctl "$@"
else
    compdef _roomctl roomctl
fi
"""


def script(tree: Node) -> str:
    """Make the script."""
    return HEAD + "".join(_function(node, tree) for node in tree.walk()) + TAIL


def _function(node: Node, tree: Node) -> str:
    """Write the function of a command; the shared options stand in the root's, which calls all others."""
    name = "-".join(("_roomctl", *node.path))
    shared = set(tree.options)
    own = [spec for option in node.options if not (node.path and option in shared) for spec in _specs(option)]
    lines = [f"{name}() {{"]
    if node.path:
        lines += _array("local -a options=($shared", own)
    else:
        lines += [*_array("local -a shared=(", own), "    local -a options=($shared)"]
    if node.children:
        lines += _array("local -a below=(", [f"{child.path[-1]}:{child.summary}" for child in node.children])
        lines += [f"    _roomctl_group {name}"]
    else:
        lines += _array("_arguments -s -S $options", list(_positionals(node.arguments)), end="")
    return "\n" + "\n".join([*lines, "}"]) + "\n"


def _array(start: str, items: list[str], end: str = ")") -> list[str]:
    if not items:
        return [f"    {start}{end}"]
    glue = " \\" if not end else ""
    return [
        f"    {start}{glue}",
        *(f"        {quoted(item)}{glue}" for item in items[:-1]),
        f"        {quoted(items[-1])}",
        *([f"    {end}"] if end else []),
    ]


def _specs(option: Option) -> Iterator[str]:
    """Describe each name of an option as `_arguments` wants it."""
    names = (*option.names, *option.off)
    excluded = "(- *)" if "--help" in names else f"({' '.join(names)})" if len(names) > 1 else ""
    text = f"[{escaped(option.help or option.names[-1].strip('-').replace('-', ' '))}]"
    for name in names:
        glue = "" if option.flag else "=" if name.startswith("--") else "+"
        start = "*" if option.repeats else excluded
        yield start + name + glue + text + ("" if option.flag else _value(option.placeholder, option.value))


def _positionals(arguments: tuple[Argument, ...]) -> Iterator[str]:
    for index, argument in enumerate(arguments, 1):
        place = "*" if argument.repeats else str(index) + ("" if argument.required else ":")
        yield place + _value(argument.placeholder, argument.value)


def _value(placeholder: str, value: Value) -> str:
    message = f":{escaped(placeholder)}:"
    match value.kind:
        case "word":
            return f"{message}({' '.join(map(escaped, value.words))})"
        case "file":
            return f"{message}_files"
        case "profile":
            return f"{message}_roomctl_profiles"
        case "id" | "name":
            return message + "; ".join(f"{{_roomctl_seen {value.kind} {kind}}}" for kind in value.words)
    return f"{message} "


def escaped(text: str) -> str:
    """Escape what `_arguments` gives a meaning."""
    return "".join("\\" + letter if letter in "\\[]:()" else letter for letter in text.replace("`", ""))
