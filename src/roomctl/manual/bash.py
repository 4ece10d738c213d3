"""The command tree → completion for bash 3.2 and later, without the bash-completion package and without a process."""

from roomctl.manual import tables
from roomctl.manual.tree import Node

HEAD = r"""# bash completion for roomctl, made from its command tree: `python -m roomctl.manual write`
# Load it with `source roomctl.bash`, or install it as share/bash-completion/completions/roomctl.
# At Tab no process is started: names and ids come from two small files in roomctl's cache folder.
"""

BODY = r"""
# Split a command line as the shell would: sets words (the whole ones), current (the unfinished one) and open (its
# quote, where one is open).
_roomctl_split() {
    local rest=$1 part inside=
    words=() current= open=
    while [[ -n $rest ]]; do
        case $rest in
        [[:blank:]]*)
            [[ -n $inside ]] && words[${#words[@]}]=$current
            current= inside= rest=${rest:1}
            ;;
        "'"*)
            inside=1 rest=${rest:1} part=${rest%%"'"*} current+=$part
            if [[ $part == "$rest" ]]; then open="'" rest=; else rest=${rest:${#part}+1}; fi
            ;;
        '"'*)
            inside=1 open='"' rest=${rest:1}
            while [[ -n $rest && -n $open ]]; do
                case $rest in
                '"'*) open= rest=${rest:1} ;;
                \\[\\\"\$\`]*) current+=${rest:1:1} rest=${rest:2} ;;
                \\*) current+=${rest:0:1} rest=${rest:1} ;;
                *) part=${rest%%[\\\"]*} current+=$part rest=${rest:${#part}} ;;
                esac
            done
            ;;
        \\*) inside=1 current+=${rest:1:1} rest=${rest:2} ;;
        *) part=${rest%%[[:blank:]\\\'\"]*} inside=1 current+=$part rest=${rest:${#part}} ;;
        esac
    done
}

# Offer a word, if the unfinished one is its beginning: the part that the shell replaces, quoted as it stands there.
# $2 is shown beside it in a list.
_roomctl_offer() {
    local tail
    [[ $1 == "$current"* ]] || return 0
    tail=${1#"$head"}
    case $open in
    "'") tail=${tail//\'/\'\\\'\'} ;;
    '"') tail=${tail//\\/\\\\} tail=${tail//\"/\\\"} tail=${tail//\$/\\\$} tail=${tail//\`/\\\`} ;;
    *) [[ -n $tail ]] && printf -v tail %q "$tail" ;;
    esac
    [[ -n $open && $tail == *"$open" ]] && tail+=$open # the shell would take the escaped quote for the closing one
    notes[${#COMPREPLY[@]}]=${2-}
    COMPREPLY[${#COMPREPLY[@]}]=$tail
}

# Write the names beside ids where the shell is going to list them; what it inserts is what all of them begin with.
_roomctl_annotate() {
    local index
    case ${COMP_TYPE-} in 9 | 33 | 63 | 64) ;; *) return 0 ;; esac
    [[ ${#COMPREPLY[@]} -gt 1 ]] || return 0
    for ((index = 0; index < ${#COMPREPLY[@]}; index++)); do
        [[ -n ${notes[index]} ]] && COMPREPLY[index]+="  (${notes[index]})"
    done
}

# Say which folder roomctl keeps what completion may offer in: sets folder.
_roomctl_folder() {
    if [[ -n ${ROOMCTL_CACHE-} ]]; then
        folder=$ROOMCTL_CACHE
    elif [[ ${XDG_CACHE_HOME-} == /* ]]; then
        folder=$XDG_CACHE_HOME/roomctl
    elif [[ ${OSTYPE-} == darwin* ]]; then
        folder=${HOME-}/Library/Caches/roomctl
    else
        folder=${HOME-}/.cache/roomctl
    fi
    folder+=/completion
}

# Offer what was seen lately of a kind of thing: by name where one may stand, an id where it is begun or has no name.
_roomctl_offer_seen() {
    local folder kind id name
    _roomctl_folder
    [[ -r $folder/ids ]] || return 0
    while IFS=$'\t' read -r kind id name; do
        [[ $kind == "$2" ]] || continue
        [[ $1 == name && -n $name ]] && _roomctl_offer "$3$name"
        [[ $1 == id || -z $name || $current != "$3" ]] && _roomctl_offer "$3$id" "$name"
    done <"$folder/ids"
}

_roomctl_offer_profiles() {
    local folder name
    _roomctl_folder
    [[ -r $folder/profiles ]] || return 0
    while IFS= read -r name; do
        [[ -n $name ]] && _roomctl_offer "$1$name"
    done <"$folder/profiles"
}

# Leave file names to the shell; bash 3.2 cannot be asked to, so they are offered one by one.
_roomctl_offer_files() {
    local file
    compopt -o default 2>/dev/null && return 0
    for file in "${current#"$1"}"*; do
        [[ -e $file ]] && _roomctl_offer "$1$file"
    done
}

# Offer what takes and reply say; $1 stands before it in the same word (`--output=`).
_roomctl_offer_values() {
    local word
    case $takes in
    word) for word in "${reply[@]}"; do _roomctl_offer "$1$word"; done ;;
    file) _roomctl_offer_files "$1" ;;
    profile) _roomctl_offer_profiles "$1" ;;
    id | name) for word in "${reply[@]}"; do _roomctl_offer_seen "$takes" "$word" "$1"; done ;;
    esac
}

# Read an option: sets takes, which stays empty where its value is in the same word or where it has none.
_roomctl_read_option() {
    local letters
    takes= reply=()
    case $1 in
    --*=*) ;;
    --*) _roomctl_option "$command $1" ;;
    *)
        letters=${1:1}
        while [[ -n $letters && -z $takes ]]; do
            _roomctl_option "$command -${letters:0:1}"
            letters=${letters:1}
        done
        [[ -n $letters ]] && takes=
        ;;
    esac
}

_roomctl() {
    local line=${COMP_LINE:0:COMP_POINT} head open current command= takes= only= word position=0 IFS=$' \t\n'
    local -a words reply notes
    COMPREPLY=()
    _roomctl_split "${line%"$2"}"
    head=$current
    local start=$open
    _roomctl_split "$line"
    open=$start
    for word in "${words[@]:1}"; do
        if [[ -n $takes ]]; then
            takes=
        elif [[ -z $only && $word == -- ]]; then
            only=1
        elif [[ -z $only && $word == -?* ]]; then
            _roomctl_read_option "$word"
        elif _roomctl_commands "$command"; [[ ${#reply[@]} -gt 0 ]]; then
            [[ " ${reply[*]} " == *" $word "* ]] || return 0
            command+=${command:+ }$word
        else
            position=$((position + 1))
        fi
    done
    if [[ -n $takes ]]; then
        _roomctl_offer_values ""
    elif [[ -z $only && $current == --*=* ]]; then
        _roomctl_option "$command ${current%%=*}"
        _roomctl_offer_values "${current%%=*}="
    elif [[ -z $only && $current == -* ]]; then
        _roomctl_options "$command"
        takes=word
        _roomctl_offer_values ""
    else
        _roomctl_commands "$command"
        if [[ ${#reply[@]} -gt 0 ]]; then takes=word; else _roomctl_argument "$command $position"; fi
        _roomctl_offer_values ""
    fi
    _roomctl_annotate
}

complete -F _roomctl roomctl
"""


def script(tree: Node) -> str:
    """Make the script."""
    return HEAD + "\n".join([_commands(tree), _options(tree), _option(tree), _argument(tree)]) + BODY


def quoted(text: str) -> str:
    """Quote a word for a POSIX shell, where it needs to be."""
    plain = text and all(letter.isascii() and (letter.isalnum() or letter in "-_./:@%+,") for letter in text)
    return text if plain else "'" + text.replace("'", "'\\''") + "'"


def _words(words: tuple[str, ...] | list[str]) -> str:
    return "(" + " ".join(map(quoted, words)) + ")"


def _commands(tree: Node) -> str:
    rows = [
        f"    {quoted(key)}) reply={_words([child.path[-1] for child in below])} ;;"
        for key, below in tables.commands(tree)
    ]
    return _case("_roomctl_commands", "The commands below a command: sets reply.", [*rows, "    *) reply=() ;;"])


def _options(tree: Node) -> str:
    rows = [f"    {' | '.join(map(quoted, keys))}) reply+={_words(rest)} ;;" for keys, rest in tables.own(tree)]
    start = f"    reply={_words(tables.shared(tree))}"
    return _case("_roomctl_options", "The options of a command: sets reply.", rows, start)


def _option(tree: Node) -> str:
    return _values(
        "_roomctl_option", "What an option of a command takes: sets takes and reply.", tables.option_values(tree)
    )


def _argument(tree: Node) -> str:
    return _values("_roomctl_argument", "What a positional takes: sets takes and reply.", tables.argument_values(tree))


def _values(name: str, about: str, rows: list[tables.Row]) -> str:
    lines = [
        f"    {' | '.join(map(_pattern, keys))}) takes={value.kind} reply={_words(value.words)} ;;"
        for keys, value in rows
    ]
    return _case(name, about, lines, "    takes= reply=()")


def _pattern(key: str) -> str:
    """Quote a pattern but for a `*` at its beginning or end."""
    start, end = key.startswith("*"), key.endswith("*")
    return "*" * start + quoted(key[start : len(key) - end]) + "*" * end


def _case(name: str, about: str, rows: list[str], start: str = "") -> str:
    return "\n".join(
        [f"\n# {about}", f"{name}() {{", *([start] if start else []), "    case $1 in", *rows, "    esac", "}"]
    )
