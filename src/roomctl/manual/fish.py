"""The command tree → completion for fish: one `complete` line for each option, with a condition that reads the line."""

from collections.abc import Iterator

from roomctl.manual import tables
from roomctl.manual.tree import Node, Option
from roomctl.manual.values import Value

HEAD = r"""# fish completion for roomctl, made from its command tree: `python -m roomctl.manual write`
# Put it into a folder of $fish_complete_path, such as ~/.config/fish/completions.
# At Tab no process is started: names and ids come from two small files in roomctl's cache folder.

# Read the words before the cursor, once for each line: sets __roomctl_command and __roomctl_position.
function __roomctl_read
    set -l tokens (commandline -opc)
    set -l line (string join \n -- $tokens | string collect)
    test "$line" = "$__roomctl_line"; and return
    set -g __roomctl_line $line
    set -g __roomctl_command ''
    set -g __roomctl_position 0
    set -l takes ''
    set -l only ''
    for token in $tokens[2..]
        if test -n "$takes"
            set takes ''
        else if test -z "$only"; and test "$token" = --
            set only 1
        else if test -z "$only"; and string match -qr -- '^-.' $token
            set takes (__roomctl_unfinished $token)
        else if set -l below (__roomctl_commands $__roomctl_command)
            if not contains -- $token $below
                set -g __roomctl_command '?'
                return
            end
            set -g __roomctl_command (string trim -- "$__roomctl_command $token")
        else
            set -g __roomctl_position (math $__roomctl_position + 1)
        end
    end
end

# Print 1 if an option's value is the next word.
function __roomctl_unfinished -a token
    if string match -qr -- '^--' $token
        string match -q -- '*=*' $token; or not __roomctl_takes "$__roomctl_command $token"; or echo 1
        return
    end
    for letter in (string split '' -- $token)[2..]
        if __roomctl_takes "$__roomctl_command -$letter"
            string match -qr -- "$letter\$" $token; and echo 1
            return
        end
    end
end

# Whether the line has come to one of these commands.
function __roomctl_at
    __roomctl_read
    contains -- "$__roomctl_command" $argv
end

# Whether the line has come to one of these positionals: "COMMAND POSITION".
function __roomctl_argument
    __roomctl_read
    for pattern in $argv
        string match -q -- $pattern "$__roomctl_command $__roomctl_position"; and return
    end
    return 1
end

# Print the folder in which roomctl keeps what completion may offer.
function __roomctl_folder
    if test -n "$ROOMCTL_CACHE"
        echo $ROOMCTL_CACHE/completion
    else if string match -q -- '/*' "$XDG_CACHE_HOME"
        echo $XDG_CACHE_HOME/roomctl/completion
    else if test -d $HOME/Library/Caches
        echo $HOME/Library/Caches/roomctl/completion
    else
        echo $HOME/.cache/roomctl/completion
    end
end

# Print what was seen lately of a kind of thing: by name where one may stand, an id where it is begun or has no name.
function __roomctl_seen -a how kind
    set -l file (__roomctl_folder)/ids
    test -r $file; or return
    if test $how = name
        string replace -rf -- '^'$kind'\t(\S+)\t(.+)$' '$2\t$1' <$file
        string replace -rf -- '^'$kind'\t(\S+)\t$' '$1' <$file
    end
    if test $how = id; or test -n (commandline -ct | string collect)
        string replace -rf -- '^'$kind'\t(\S+)\t(.*)$' '$1\t$2' <$file
    end
end

function __roomctl_profiles
    set -l file (__roomctl_folder)/profiles
    test -r $file; and string match -r -- '.+' <$file
end
"""


def script(tree: Node) -> str:
    """Make the script."""
    return "\n".join([HEAD, *_commands_below(tree), "", *_takes(tree), "", *_lines(tree)]) + "\n"


def quoted(text: str) -> str:
    """Quote a word for fish."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _commands_below(tree: Node) -> Iterator[str]:
    yield "# Print the commands below a command; fails where there are none."
    yield "function __roomctl_commands -a command"
    yield "    switch $command"
    for words, below in tables.commands(tree):
        yield f"        case {quoted(words)}"
        yield f"            string split ' ' -- {quoted(' '.join(child.path[-1] for child in below))}"
    yield from ("        case '*'", "            return 1", "    end", "end")


def _takes(tree: Node) -> Iterator[str]:
    yield '# Whether an option takes a value: "COMMAND --option".'
    yield "function __roomctl_takes -a option"
    yield "    switch $option"
    for keys, value in tables.option_values(tree):
        yield f"        case {' '.join(map(quoted, keys))}"
        yield f"            return {int(value.kind == 'flag')}"
    yield from ("    end", "    return 1", "end")


def _lines(tree: Node) -> Iterator[str]:
    yield "complete -c roomctl -f"
    for words, below in tables.commands(tree):
        for child in below:
            yield _line(f"__roomctl_at {quoted(words)}", ["-a", quoted(child.path[-1])], child.summary)
    for keys, value in tables.argument_values(tree):
        yield _line(f"__roomctl_argument {' '.join(map(quoted, keys))}", ["-k", *_words(value)], "")
    everywhere = {node.words for node in tree.walk()}
    places: dict[Option, list[str]] = {}
    for node, option in tree.every_option():
        places.setdefault(option, []).append(node.words)
    for option, paths in places.items():
        condition = "" if set(paths) == everywhere else f"__roomctl_at {' '.join(map(quoted, paths))}"
        yield _line(condition, [*_names(option.names), *_taken(option)], option.help)
        if option.off:
            yield _line(condition, _names(option.off), option.help and f"not: {option.help}")


def _line(condition: str, words: list[str], text: str) -> str:
    where = ["-n", quoted(condition)] if condition else []
    about = ["-d", quoted(text.replace("`", ""))] if text else []
    return " ".join(["complete -c roomctl", *where, *words, *about])


def _names(names: tuple[str, ...]) -> list[str]:
    return [part for name in names for part in (("-l", name[2:]) if name.startswith("--") else ("-s", name[1:]))]


def _taken(option: Option) -> list[str]:
    if option.flag:
        return []
    return ["-r", *_words(option.value)] if option.value.kind == "file" else ["-x", *_words(option.value)]


def _words(value: Value) -> list[str]:
    match value.kind:
        case "word":
            return ["-a", quoted(" ".join(value.words))]
        case "file":
            return ["-F"]
        case "profile":
            return ["-a", quoted("(__roomctl_profiles)")]
        case "id" | "name":
            return ["-a", quoted(" ".join(f"(__roomctl_seen {value.kind} {kind})" for kind in value.words))]
    return []
