# bash completion for roomctl, made from its command tree: `python -m roomctl.manual write`
# Load it with `source roomctl.bash`, or install it as share/bash-completion/completions/roomctl.
# At Tab no process is started: names and ids come from two small files in roomctl's cache folder.

# The commands below a command: sets reply.
_roomctl_commands() {
    case $1 in
    '') reply=(demo profile doctor help roomset social rules theme invite user registration playlist recording transcription explain journal sandbox rehearse api describe completion) ;;
    profile) reply=(add list show use remove check) ;;
    roomset) reply=(list get tree create update edit copy) ;;
    social) reply=(list get create copy end cta watch) ;;
    rules) reply=(save get) ;;
    theme) reply=(save) ;;
    invite) reply=(send) ;;
    user) reply=(get) ;;
    registration) reply=(list export check diff stats) ;;
    playlist) reply=(create) ;;
    recording) reply=(list wait timeline) ;;
    transcription) reply=(list process wait) ;;
    journal) reply=(list show verify repeat) ;;
    sandbox) reply=(serve seed reset snapshot restore faults log) ;;
    'sandbox faults') reply=(list add clear words) ;;
    *) reply=() ;;
    esac
}

# The options of a command: sets reply.
_roomctl_options() {
    reply=(--profile --sandbox --fault --timeout --retries --rate --concurrency --yes --no-input --output --json --to --force --fields --query --sort-by --no-header --error-format --quiet --verbose --debug --help)
    case $1 in
    '') reply+=(--version) ;;
    'profile add') reply+=(--base-url --key-stdin --key-env --key-file --key-command --protected --read-only --copy-parameter --ca-file --use --replace) ;;
    doctor) reply+=(--probe --event) ;;
    'roomset list') reply+=(--limit --page --page-size --sort) ;;
    'roomset create') reply+=(--name --description --entry-option --group-former-count --anyone-can-start --only-host-can-start --guests --no-guests --host-admitted --no-host-admitted --permission-type --starting-point --input --set --skeleton --allow-unknown --dry-run --curl --expect-profile) ;;
    'roomset update') reply+=(--show --name --description --entry-option --group-former-count --anyone-can-start --only-host-can-start --guests --no-guests --host-admitted --no-host-admitted --permission-type --starting-point --input --set --skeleton --allow-unknown --dry-run --curl --expect-profile) ;;
    'roomset edit' | 'social copy') reply+=(--dry-run --curl --expect-profile) ;;
    'roomset copy') reply+=(--name --dry-run --curl --expect-profile) ;;
    'social list') reply+=(--room-set --open --closed) ;;
    'social create') reply+=(--room-set --name --description --starts --ends --permission-type --platform --max-participants --starting-width --starting-height --theme --configuration --playlist --artifact-set --recurring --once --anyone-can-start --only-host-can-start --guests --no-guests --host-admitted --no-host-admitted --free --not-free --connected --not-connected --input --set --skeleton --allow-unknown --dry-run --curl --expect-profile) ;;
    'social end') reply+=(--leave-open-until --from --room-set --max-present --only-if-empty --only-past-end --expect-rooms --results --resume --retry-unknown --skip-bad --keep-going --dry-run --curl --expect-profile) ;;
    'social cta') reply+=(--map --limit --page --page-size --sort) ;;
    'social watch') reply+=(--interval --times) ;;
    'rules save') reply+=(--rule --show --name --configuration --entry-option --entry-flow --group-spawn-size --group-former-count --starting-point-x --starting-point-y --input --set --skeleton --allow-unknown --dry-run --curl --expect-profile) ;;
    'theme save') reply+=(--image --image-far --image-mid --image-near --image-far-id --image-mid-id --image-near-id --preview --preview-to --name --theme-id --type --description --color-primary --color-secondary --color-background --color-gradient-background --color-button-text --color-button-bg --image-width --image-height --template-id --artifact-set --multi-size --single-size --minimap --no-minimap --input --set --skeleton --allow-unknown --dry-run --curl --expect-profile) ;;
    'invite send') reply+=(--user --email --from --batch --input --skeleton --allow-unknown --results --resume --retry-unknown --skip-bad --keep-going --dry-run --curl --expect-profile) ;;
    'user get') reply+=(--from --results --resume --retry-unknown --skip-bad --keep-going) ;;
    'registration list' | 'recording list' | 'transcription list') reply+=(--limit --page --page-size --sort --text) ;;
    'registration export') reply+=(--format --verify --columns --rename --tz --view --guard --keep-ids --attendance --absent --stayed --since --limit --page --page-size --sort --text) ;;
    'registration stats') reply+=(--tz --text) ;;
    'playlist create') reply+=(--name --type --qty --duration --available --not-available --input --set --skeleton --allow-unknown --dry-run --curl --expect-profile) ;;
    'recording wait' | 'transcription wait') reply+=(--max-wait --interval) ;;
    'transcription process') reply+=(--room-set --id --status --name --storage-bucket --started --processing-started --processing-ended --input --set --skeleton --allow-unknown --dry-run --curl --expect-profile) ;;
    'journal list') reply+=(--state --operation --open --runs) ;;
    'journal repeat') reply+=(--input --dry-run --curl --expect-profile) ;;
    'sandbox serve') reply+=(--port --key --strict --lenient --hostile) ;;
    'sandbox seed') reply+=(--registrations --seed --clock --input --skeleton --strict --lenient --hostile) ;;
    'sandbox reset') reply+=(--strict --lenient --hostile) ;;
    'sandbox faults add') reply+=(--from) ;;
    'sandbox log') reply+=(--judge --junit --after --clear) ;;
    rehearse) reply+=(--only --stop-after --junit) ;;
    api) reply+=(--raw-field --field --input --paginate --openapi --limit --page --page-size --sort --dry-run --curl --expect-profile) ;;
    esac
}

# What an option of a command takes: sets takes and reply.
_roomctl_option() {
    takes= reply=()
    case $1 in
    'playlist create --type') takes=word reply=(FREE_PLAYLIST PAID_PLAYLIST) ;;
    *' --profile' | *' --expect-profile') takes=profile reply=() ;;
    *' --fault' | *' --timeout' | *' --retries' | *' --rate' | *' --concurrency' | *' --fields' | *' --query' | *' --sort-by' | *' --base-url' | *' --key-env' | *' --key-command' | *' --copy-parameter' | *' --limit' | *' --page' | *' --page-size' | *' --sort' | *' --name' | *' --description' | *' --group-former-count' | *' --set' | *' --starts' | *' --ends' | *' --max-participants' | *' --starting-width' | *' --starting-height' | *' --theme' | *' --configuration' | *' --playlist' | *' --artifact-set' | *' --leave-open-until' | *' --max-present' | *' --expect-rooms' | *' --interval' | *' --times' | *' --rule' | *' --group-spawn-size' | *' --starting-point-x' | *' --starting-point-y' | *' --image-far-id' | *' --image-mid-id' | *' --image-near-id' | *' --theme-id' | *' --color-primary' | *' --color-secondary' | *' --color-background' | *' --color-gradient-background' | *' --color-button-text' | *' --color-button-bg' | *' --image-width' | *' --image-height' | *' --template-id' | *' --email' | *' --batch' | *' --text' | *' --columns' | *' --rename' | *' --tz' | *' --view' | *' --stayed' | *' --qty' | *' --duration' | *' --max-wait' | *' --storage-bucket' | *' --started' | *' --processing-started' | *' --processing-ended' | *' --port' | *' --key' | *' --registrations' | *' --seed' | *' --clock' | *' --after' | *' --stop-after' | *' -f' | *' --raw-field' | *' -F' | *' --field') takes=text reply=() ;;
    *' -o' | *' --output') takes=word reply=(table json ndjson csv tsv yaml ids md) ;;
    *' --to' | *' --key-file' | *' --ca-file' | *' --input' | *' --from' | *' --results' | *' --image' | *' --image-far' | *' --image-mid' | *' --image-near' | *' --preview-to' | *' --since' | *' --junit') takes=file reply=() ;;
    *' --error-format') takes=word reply=(text json github) ;;
    *' --event') takes=id reply=(event) ;;
    *' --entry-option') takes=word reply=(DEFAULT ACCOUNT CUSTOM_RULES STARTING_POINT) ;;
    *' --permission-type') takes=word reply=(PUBLIC COMPANY_AND_CONNECTIONS CONNECTIONS COMPANY) ;;
    *' --starting-point') takes=id reply=(room) ;;
    *' --room-set') takes=name reply=(roomset) ;;
    *' --platform') takes=word reply=(PLATFORM_A PLATFORM_B) ;;
    *' --entry-flow') takes=word reply=(SPIRAL GRID) ;;
    *' --type') takes=word reply=(LAYERED SINGLE_IMAGE SINGLE_COLOR) ;;
    *' --user') takes=id reply=(user) ;;
    *' --format') takes=word reply=(csv excel-csv tsv ndjson json xlsx sqlite parquet) ;;
    *' --id') takes=id reply=(transcription) ;;
    *' --status') takes=word reply=(PROCESSING COMPLETE FAILED) ;;
    *' --state') takes=word reply=(planned sent confirmed refused unknown not_sent) ;;
    *' --operation') takes=word reply=(roomset.create roomset.update roomset.list roomset.copy social.create social.copy social.end invite.send social.cta theme.save transcription.process transcription.list recording.list rules.save rules.get playlist.create user.get registration.list) ;;
    esac
}

# What a positional takes: sets takes and reply.
_roomctl_argument() {
    takes= reply=()
    case $1 in
    'profile add 0' | 'profile show 0' | 'profile use 0' | 'profile remove 0' | 'profile check 0') takes=profile reply=() ;;
    'help 0') takes=word reply=(options exit-codes environment output files errors gaps) ;;
    'roomset get 0' | 'roomset tree 0' | 'roomset update 0' | 'roomset edit 0' | 'roomset copy 0' | 'social watch 0' | 'rules save 0' | 'rules get 0') takes=name reply=(roomset) ;;
    'social get 0' | 'social copy 0' | 'social end '* | 'social cta 0' | 'invite send 0') takes=name reply=(room) ;;
    'user get '*) takes=id reply=(user) ;;
    'registration list 0' | 'registration export 0' | 'registration stats 0') takes=id reply=(event) ;;
    'registration check 0' | 'registration diff 0' | 'registration diff 1' | 'rehearse '*) takes=file reply=() ;;
    'recording wait 0' | 'recording timeline 0') takes=id reply=(recording) ;;
    'transcription wait 0') takes=id reply=(transcription) ;;
    'explain '*) takes=word reply=(demo profile add list show use remove check doctor help roomset get tree create update edit copy social end cta watch rules save theme invite send user registration export diff stats playlist recording wait timeline transcription process explain journal verify repeat sandbox serve seed reset snapshot restore faults clear words log rehearse api describe completion) ;;
    'api '*) takes=word reply=(roomset.create roomset.update roomset.list roomset.copy social.create social.copy social.end invite.send social.cta theme.save transcription.process transcription.list recording.list rules.save rules.get playlist.create user.get registration.list) ;;
    'completion 0') takes=word reply=(bash zsh fish) ;;
    esac
}
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
