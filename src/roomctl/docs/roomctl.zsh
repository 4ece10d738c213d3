#compdef roomctl
# zsh completion for roomctl, made from its command tree
# Put it into a folder of $fpath under the name _roomctl, or source it after compinit.
# At Tab no process is started: names and ids come from two small files in roomctl's cache folder.

# Find the folder in which roomctl keeps what may be offered: sets folder.
_roomctl_folder() {
    folder=${HOME-}/.cache/roomctl
    [[ ${OSTYPE-} == darwin* ]] && folder=${HOME-}/Library/Caches/roomctl
    [[ ${XDG_CACHE_HOME-} == /* ]] && folder=$XDG_CACHE_HOME/roomctl
    folder=${ROOMCTL_CACHE:-$folder}/completion
}

#TABLE

# Offer what roomctl kept: $1 is id or name, of the kinds that follow. A name where one may stand, an id where it is
# begun or has no name; what was given before is not offered again.
_roomctl_kept() {
    local folder line id name ret=1 kinds="(${(j:|:)@[2,-1]})"
    local -a expl names ids beside_names beside_ids given=("${(@Q)words[1,CURRENT-1]}")
    _roomctl_folder
    [[ -r $folder/ids ]] || return 1
    for line in ${(M)${(f)"$(<$folder/ids)"}:#${~kinds}$'\t'*}; do
        line=${line#*$'\t'} id=${line%%$'\t'*} name=${line#*$'\t'}
        (( ${given[(Ie)$id]} || ${given[(Ie)$name]} )) && continue
        [[ $1 == name && -n $name ]] && names+=("$name") beside_names+=("$name  -- $id")
        [[ $1 == id || -z $name || -n $PREFIX ]] && ids+=("$id") beside_ids+=("$id  -- $name")
    done
    _wanted -V names expl "$2" compadd -l -d beside_names -a names && ret=0
    _wanted -V ids expl "$2 id" compadd -l -d beside_ids -a ids && ret=0
    return ret
}

_roomctl_profiles() {
    local folder
    local -a expl
    _roomctl_folder
    [[ -r $folder/profiles ]] && _wanted profiles expl profile compadd - ${(f)"$(<$folder/profiles)"}
}

# Complete what follows a command; for the next word of a command's name, this function calls itself.
_roomctl() {
    local command=${command-} curcontext=$curcontext state line ret=1
    local -a options below arguments
    local -A opt_args
    _roomctl_follows
    (( $#below )) && arguments=('(-)1:command:->command' '(-)*::argument:->argument')
    _arguments -s -S -C $options $arguments && ret=0
    case $state in
    command) _describe -t commands command below && ret=0 ;;
    argument)
        (( ${below[(I)$line[1]:*]} )) || return 1
        command+=${command:+ }$line[1]
        command=${${command#help }#explain }
        _roomctl && ret=0
        ;;
    esac
    return ret
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _roomctl "$@"
else
    compdef _roomctl roomctl
fi
