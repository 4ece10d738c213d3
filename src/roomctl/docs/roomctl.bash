# bash completion for roomctl, made from its command tree
# Load it with `source roomctl.bash`, or install it as share/bash-completion/completions/roomctl.
# At Tab no process is started: names and ids come from two small files in roomctl's cache folder.

# Find the folder in which roomctl keeps what may be offered: sets folder.
_roomctl_folder() {
    folder=${HOME-}/.cache/roomctl
    [[ ${OSTYPE-} == darwin* ]] && folder=${HOME-}/Library/Caches/roomctl
    [[ ${XDG_CACHE_HOME-} == /* ]] && folder=$XDG_CACHE_HOME/roomctl
    folder=${ROOMCTL_CACHE:-$folder}/completion
}

#TABLE

# Split a command line as the shell would: sets words (the whole ones), current (the unfinished one) and open (its
# quote, where one is open).
_roomctl_split() {
    local rest=$1 letter inside=
    words=() current= open=
    while [[ -n $rest ]]; do
        letter=${rest:0:1} rest=${rest:1}
        case $open$letter in
        [[:blank:]])
            [[ -n $current$inside ]] && words+=("$current")
            current= inside=
            ;;
        "'" | '"') open=$letter inside=1 ;;
        "''" | '""') open= ;;
        \\ | '"\')
            [[ -z $open || $rest == [\\\"\$\`]* ]] && letter=${rest:0:1} rest=${rest:1}
            current+=$letter
            ;;
        *) current+=$letter ;;
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
    *) [[ -n $tail ]] && printf -v tail %q "$tail" && tail=${tail//\\,/,} ;;
    esac
    [[ -n $open && $tail == *"$open" ]] && tail+=$open # the shell would take the escaped quote for the closing one
    notes+=("${2-}")
    COMPREPLY+=("$tail")
}

# Offer what roomctl kept: $2 is profile, or else id or name, of the kinds that follow. A name where one may stand, an id
# where it is begun or has no name; what was given before is not offered again. $1 stands before it in the same word
# (`--profile=`).
_roomctl_offer_kept() {
    local folder kind id name given IFS=$'\t'
    given=$'\t'"${words[*]}"$'\t' IFS=' '
    _roomctl_folder
    [[ $2 == profile ]] && folder+=/profiles || folder+=/ids
    [[ -r $folder ]] || return 0
    while IFS=$'\t' read -r kind id name; do
        [[ $2 == profile ]] && _roomctl_offer "$1$kind"
        [[ " ${*:3} " == *" $kind "* && $given != *$'\t'"$id"$'\t'* ]] || continue
        [[ -n $name && $given == *$'\t'"$name"$'\t'* ]] && continue
        [[ $2 == name && -n $name ]] && _roomctl_offer "$1$name"
        [[ $2 == id || -z $name || $current != "$1" ]] && _roomctl_offer "$1$id" "$name"
    done <"$folder"
}

# Offer values; what they are follows $1, which stands before them in the same word.
_roomctl_offer_values() {
    local word given
    case ${2-} in
    word | zone) for word in "${@:3}"; do _roomctl_offer "$1$word"; done ;;
    sort)
        [[ $current == *,* ]] && set -- "$1" list asc desc
        _roomctl_offer_values "$1" "${2/sort/word}" "${@:3}"
        ;;
    list)
        given=${current#"$1"} given=${given%"${given##*,}"}
        for word in "${@:3}"; do [[ ,$given == *,"$word",* ]] || _roomctl_offer "$1$given$word"; done
        ;;
    profile | id | name) _roomctl_offer_kept "$@" ;;
    file) # left to the shell; bash 3.2 cannot be asked to
        compopt -o default 2>/dev/null && return 0
        for word in "${current#"$1"}"*; do [[ -e $word ]] && _roomctl_offer "$1$word"; done
        ;;
    esac
}

# Find what an option takes: sets value, or fails where it takes nothing.
_roomctl_value() {
    local option
    for option in "${options[@]}"; do
        [[ $option == "$1="* ]] && value=${option#*=} && return 0
    done
    return 1
}

_roomctl() {
    local line=${COMP_LINE:0:COMP_POINT} head open current command= value takes= only= word index IFS=$' \t\n'
    local -a words below options arguments notes
    COMPREPLY=()
    _roomctl_split "$line"
    word=$current
    _roomctl_split "${line%"$2"}"
    head=$current current=$word
    _roomctl_follows
    for word in "${words[@]:1}"; do
        if [[ -n $takes ]]; then
            takes=
        elif [[ -z $only && $word == -- ]]; then
            only=1
        elif [[ -z $only && $word == --?* ]]; then
            _roomctl_value "$word" && takes=1
        elif [[ -z $only && $word == -?* ]]; then
            until word=${word:1}; [[ -z $word ]] || _roomctl_value "-${word:0:1}"; do :; done
            [[ ${#word} == 1 ]] && takes=1
        elif [[ ${#below[@]} -gt 0 ]]; then
            [[ " ${below[*]} " == *" $word "* ]] || return 0
            command+=${command:+ }$word
            command=${command#help } command=${command#explain }
            _roomctl_follows
        elif [[ ${#arguments[@]} -gt 0 && ${arguments[0]} != \** ]]; then
            arguments=("${arguments[@]:1}")
        fi
    done
    if [[ -n $takes ]]; then
        _roomctl_offer_values "" $value
    elif [[ -z $only && $current == --*=* ]]; then
        _roomctl_value "${current%%=*}" && _roomctl_offer_values "${current%%=*}=" $value
    elif [[ -z $only && $current == -* ]]; then
        for word in "${options[@]}"; do [[ $word == --* ]] && _roomctl_offer "${word%%=*}"; done
    elif [[ ${#below[@]} -gt 0 ]]; then
        _roomctl_offer_values "" word "${below[@]}"
    else
        value=${arguments[0]-}
        _roomctl_offer_values "" ${value#\*}
    fi
    # names beside ids, where the shell is going to list them: what it inserts is what all of them begin with
    [[ ${COMP_TYPE-} =~ ^(9|33|63|64)$ && ${#COMPREPLY[@]} -gt 1 ]] || return 0
    for ((index = 0; index < ${#COMPREPLY[@]}; index++)); do
        [[ -n ${notes[index]} ]] && COMPREPLY[index]+="  (${notes[index]})"
    done
}

complete -F _roomctl roomctl
