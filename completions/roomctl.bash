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

# Look up what may follow a command: sets options, below and arguments.
_roomctl_follows() {
    options=() below=() arguments=()
    case $command in '') options+=(--version) ;; esac
    case $command in *) options+=(--profile=profile --sandbox '--fault=word rows-inserted rows-deleted clamp-size ignore-page repeat-page empty-page row-twice odd-row other-event invite-errors other-id other-name without nulls uppercase-ids date-offset unknown-fields unknown-values empty-body denied end-of-list list-field list-total stale warned status retry-after after-commit body html key-revoked latency slow-drip truncated wrong-length drop-before-commit drop-after-commit reset like' --timeout= --retries= --rate= --concurrency= -y --yes --no-input '-o=word table json ndjson csv tsv yaml ids md' '--output=word table json ndjson csv tsv yaml ids md' --json --to=file --force --no-header '--error-format=word text json github' -q --quiet -v --verbose --debug -h --help) ;; esac
    case $command in '' | demo | profile | 'profile add' | 'profile list' | 'profile show' | 'profile use' | 'profile remove' | 'profile check' | doctor | help | roomset | 'roomset export' | 'roomset schema' | social | 'social watch' | rules | theme | invite | user | registration | 'registration check' | 'registration diff' | 'registration stats' | 'registration report' | playlist | recording | transcription | explain | journal | 'journal list' | 'journal show' | 'journal verify' | 'journal repeat' | sandbox | 'sandbox serve' | 'sandbox seed' | 'sandbox reset' | 'sandbox snapshot' | 'sandbox restore' | 'sandbox faults' | 'sandbox faults list' | 'sandbox faults add' | 'sandbox faults clear' | 'sandbox faults words' | 'sandbox log' | rehearse | api | describe | completion | lint) options+=(--fields= --sort-by=) ;; esac
    case $command in '' | demo | profile | 'profile add' | 'profile list' | 'profile show' | 'profile use' | 'profile remove' | 'profile check' | doctor | help | roomset | 'roomset list' | 'roomset get' | 'roomset tree' | 'roomset update' | 'roomset edit' | 'roomset copy' | 'roomset export' | 'roomset schema' | 'roomset plan' | 'roomset apply' | 'roomset lint' | social | 'social list' | 'social get' | 'social end' | 'social cta' | 'social watch' | rules | 'rules save' | 'rules get' | theme | 'theme save' | invite | 'invite send' | user | 'user get' | registration | 'registration list' | 'registration export' | 'registration check' | 'registration diff' | 'registration stats' | 'registration report' | playlist | 'playlist create' | recording | 'recording list' | 'recording wait' | 'recording timeline' | transcription | 'transcription list' | 'transcription process' | 'transcription wait' | explain | journal | 'journal list' | 'journal show' | 'journal verify' | 'journal repeat' | sandbox | 'sandbox serve' | 'sandbox seed' | 'sandbox reset' | 'sandbox snapshot' | 'sandbox restore' | 'sandbox faults' | 'sandbox faults list' | 'sandbox faults add' | 'sandbox faults clear' | 'sandbox faults words' | 'sandbox log' | rehearse | describe | completion | lint) options+=(--query=) ;; esac
    case $command in 'profile add') options+=(--key-stdin --use --replace --base-url= --key-env= --key-file=file --key-command= --protected --no-protected --read-only --no-read-only --copy-parameter= --idempotency-header= --list-field= --end-of-list= --ca-file=file '--time-zone=zone America/Bogota America/Buenos_Aires America/Chicago America/Denver America/Halifax America/Los_Angeles America/Mexico_City America/New_York America/Sao_Paulo America/Toronto Africa/Cairo Africa/Johannesburg Africa/Lagos Africa/Nairobi Asia/Bangkok Asia/Dubai Asia/Hong_Kong Asia/Jakarta Asia/Jerusalem Asia/Kolkata Asia/Manila Asia/Seoul Asia/Shanghai Asia/Singapore Asia/Tokyo Australia/Brisbane Australia/Melbourne Australia/Perth Australia/Sydney Europe/Amsterdam Europe/Athens Europe/Berlin Europe/Dublin Europe/Helsinki Europe/Istanbul Europe/Lisbon Europe/London Europe/Madrid Europe/Paris Europe/Rome Europe/Stockholm Europe/Vienna Europe/Warsaw Europe/Zurich Pacific/Auckland Pacific/Honolulu') ;; esac
    case $command in doctor) options+=(--probe) ;; esac
    case $command in 'roomset list' | 'social cta' | 'registration list' | 'recording list' | 'transcription list' | api) options+=(--limit= --page=) ;; esac
    case $command in 'roomset list' | 'social cta' | 'registration list' | 'registration export' | 'recording list' | 'transcription list' | api) options+=(--page-size= --expect= --sort=) ;; esac
    case $command in 'roomset list' | 'roomset get' | 'roomset tree' | 'roomset create' | 'roomset update' | 'roomset edit' | 'roomset copy') options+=('--fields=list name id rooms open present host entry permission guests anyoneCanStart hostAdmitted groupFormerCount startingPointSocialId hostUser.userId description' '--sort-by=sort name id rooms open present host entry permission guests anyoneCanStart hostAdmitted groupFormerCount startingPointSocialId hostUser.userId description') ;; esac
    case $command in 'roomset create' | 'roomset update') options+=(--name= --description= --anyone-can-start --only-host-can-start '--starting-point=id room closed') ;; esac
    case $command in 'roomset create' | 'roomset update' | 'rules save') options+=('--entry-option=word DEFAULT ACCOUNT CUSTOM_RULES STARTING_POINT' --group-former-count=) ;; esac
    case $command in 'roomset create' | 'roomset update' | 'social create') options+=(--guests --no-guests --host-admitted --no-host-admitted '--permission-type=word PUBLIC COMPANY_AND_CONNECTIONS CONNECTIONS COMPANY') ;; esac
    case $command in 'roomset create' | 'roomset update' | 'social create' | 'rules save' | 'theme save' | 'playlist create' | 'transcription process') options+=(--input=file --set=) ;; esac
    case $command in 'roomset create' | 'roomset update' | 'social create' | 'rules save' | 'theme save' | 'invite send' | 'playlist create' | 'transcription process') options+=(--skeleton --allow-unknown) ;; esac
    case $command in 'roomset create' | 'social create' | 'social copy' | api) options+=(--query=) ;; esac
    case $command in 'roomset create' | 'roomset update' | 'roomset edit' | 'roomset copy' | 'roomset apply' | 'social create' | 'social copy' | 'social end' | 'rules save' | 'theme save' | 'invite send' | 'playlist create' | 'transcription process' | 'journal repeat' | api) options+=(-n --dry-run --curl --expect-profile=profile) ;; esac
    case $command in 'roomset update') options+=(--show) ;; esac
    case $command in 'roomset copy') options+=(--name=) ;; esac
    case $command in 'roomset export') options+=('--tz=zone America/Bogota America/Buenos_Aires America/Chicago America/Denver America/Halifax America/Los_Angeles America/Mexico_City America/New_York America/Sao_Paulo America/Toronto Africa/Cairo Africa/Johannesburg Africa/Lagos Africa/Nairobi Asia/Bangkok Asia/Dubai Asia/Hong_Kong Asia/Jakarta Asia/Jerusalem Asia/Kolkata Asia/Manila Asia/Seoul Asia/Shanghai Asia/Singapore Asia/Tokyo Australia/Brisbane Australia/Melbourne Australia/Perth Australia/Sydney Europe/Amsterdam Europe/Athens Europe/Berlin Europe/Dublin Europe/Helsinki Europe/Istanbul Europe/Lisbon Europe/London Europe/Madrid Europe/Paris Europe/Rome Europe/Stockholm Europe/Vienna Europe/Warsaw Europe/Zurich Pacific/Auckland Pacific/Honolulu' --shift= --first-day= --closed --ids) ;; esac
    case $command in 'roomset plan') options+=(--check --results=file --send-unseen --retry-unknown '--fields=list symbol action step name people difference why request changes id digest stale' '--sort-by=sort symbol action step name people difference why request changes id digest stale') ;; esac
    case $command in 'roomset plan' | 'roomset apply' | 'roomset lint') options+=('--tz=zone America/Bogota America/Buenos_Aires America/Chicago America/Denver America/Halifax America/Los_Angeles America/Mexico_City America/New_York America/Sao_Paulo America/Toronto Africa/Cairo Africa/Johannesburg Africa/Lagos Africa/Nairobi Asia/Bangkok Asia/Dubai Asia/Hong_Kong Asia/Jakarta Asia/Jerusalem Asia/Kolkata Asia/Manila Asia/Seoul Asia/Shanghai Asia/Singapore Asia/Tokyo Australia/Brisbane Australia/Melbourne Australia/Perth Australia/Sydney Europe/Amsterdam Europe/Athens Europe/Berlin Europe/Dublin Europe/Helsinki Europe/Istanbul Europe/Lisbon Europe/London Europe/Madrid Europe/Paris Europe/Rome Europe/Stockholm Europe/Vienna Europe/Warsaw Europe/Zurich Pacific/Auckland Pacific/Honolulu') ;; esac
    case $command in 'roomset apply') options+=(--plan=file --results=file --send-unseen --retry-unknown --keep-going '--fields=list step status reason reply' '--sort-by=sort step status reason reply') ;; esac
    case $command in 'roomset apply' | 'social end') options+=(--max-present= --only-if-empty --only-past-end --expect-rooms=) ;; esac
    case $command in 'roomset lint') options+=('--severity=word error warning note' '--fields=list file line column severity code what-was-found' '--sort-by=sort file line column severity code what-was-found') ;; esac
    case $command in 'social list') options+=('--room-set=name roomset' --open --closed --empty) ;; esac
    case $command in 'social list' | 'social get' | 'social create' | 'social copy') options+=('--fields=list name id open present starts ends host max permission room-set userId description themeId configurationId dateCreated' '--sort-by=sort name id open present starts ends host max permission room-set userId description themeId configurationId dateCreated') ;; esac
    case $command in 'social create') options+=('--room-set=name roomset' --name= --description= --starts= --ends= '--platform=word PLATFORM_A PLATFORM_B' --max-participants= --starting-width= --starting-height= '--theme=name theme' --configuration= --playlist= --artifact-set= --recurring --once --anyone-can-start --only-host-can-start --free --not-free --connected --not-connected) ;; esac
    case $command in 'social create' | 'social end') options+=('--tz=zone America/Bogota America/Buenos_Aires America/Chicago America/Denver America/Halifax America/Los_Angeles America/Mexico_City America/New_York America/Sao_Paulo America/Toronto Africa/Cairo Africa/Johannesburg Africa/Lagos Africa/Nairobi Asia/Bangkok Asia/Dubai Asia/Hong_Kong Asia/Jakarta Asia/Jerusalem Asia/Kolkata Asia/Manila Asia/Seoul Asia/Shanghai Asia/Singapore Asia/Tokyo Australia/Brisbane Australia/Melbourne Australia/Perth Australia/Sydney Europe/Amsterdam Europe/Athens Europe/Berlin Europe/Dublin Europe/Helsinki Europe/Istanbul Europe/Lisbon Europe/London Europe/Madrid Europe/Paris Europe/Rome Europe/Stockholm Europe/Vienna Europe/Warsaw Europe/Zurich Pacific/Auckland Pacific/Honolulu') ;; esac
    case $command in 'social end') options+=(--leave-open-until= --from=file '--room-set=name roomset' '--fields=list name id open present starts ends host max permission room-set userId description themeId configurationId dateCreated input status reason reply' '--sort-by=sort name id open present starts ends host max permission room-set userId description themeId configurationId dateCreated input status reason reply') ;; esac
    case $command in 'social end' | 'invite send' | 'user get') options+=(--results=file --resume --skip-bad --keep-going) ;; esac
    case $command in 'social end' | 'invite send') options+=(--retry-unknown) ;; esac
    case $command in 'social cta') options+=(--map '--fields=list name id type text url visible size x y color traversable imageURI' '--sort-by=sort name id type text url visible size x y color traversable imageURI') ;; esac
    case $command in 'social watch') options+=(--interval= --times= --until-empty --until-closed --max-wait=) ;; esac
    case $command in 'rules save') options+=(--rule= --show --name= --configuration= '--entry-flow=word SPIRAL GRID' --group-spawn-size= --starting-point-x= --starting-point-y=) ;; esac
    case $command in 'rules save' | 'rules get') options+=('--fields=list name id entry flow spawn-size former x y rules rooms' '--sort-by=sort name id entry flow spawn-size former x y rules rooms') ;; esac
    case $command in 'theme save') options+=(--image=file --image-far=file --image-mid=file --image-near=file --image-far-id= --image-mid-id= --image-near-id= --preview --name= --theme-id= '--type=word LAYERED SINGLE_IMAGE SINGLE_COLOR' --description= --color-primary= --color-secondary= --color-background= --color-gradient-background= --color-button-text= --color-button-bg= --image-width= --image-height= --template-id= --artifact-set= --multi-size --single-size --minimap --no-minimap '--fields=list name id type progress failure primary secondary background width height created description' '--sort-by=sort name id type progress failure primary secondary background width height created description') ;; esac
    case $command in 'invite send') options+=('--user=id user' --email= --from=file --map= '--room-set=name roomset' --batch= --input=file '--fields=list input status reason reply room' '--sort-by=sort input status reason reply room') ;; esac
    case $command in 'user get') options+=(--from=file '--fields=list name id e-mail verified phone time-zone registered active firstName middleName lastName input status reason reply' '--sort-by=sort name id e-mail verified phone time-zone registered active firstName middleName lastName input status reason reply') ;; esac
    case $command in 'registration list' | 'registration export' | 'registration stats' | 'recording list' | 'transcription list') options+=(--text=) ;; esac
    case $command in 'registration list' | 'registration export') options+=('--fields=list name id e-mail confirmed registered source answers user.userId event.name event.socialEventId event.startDateTime event.endDateTime' '--sort-by=sort name id e-mail confirmed registered source answers user.userId event.name event.socialEventId event.startDateTime event.endDateTime') ;; esac
    case $command in 'registration export') options+=('--format=word csv excel-csv tsv ndjson json xlsx sqlite parquet' --verify '--columns=list name id e-mail confirmed registered source answers user.userId event.name event.socialEventId event.startDateTime event.endDateTime' --rename= '--tz=zone America/Bogota America/Buenos_Aires America/Chicago America/Denver America/Halifax America/Los_Angeles America/Mexico_City America/New_York America/Sao_Paulo America/Toronto Africa/Cairo Africa/Johannesburg Africa/Lagos Africa/Nairobi Asia/Bangkok Asia/Dubai Asia/Hong_Kong Asia/Jakarta Asia/Jerusalem Asia/Kolkata Asia/Manila Asia/Seoul Asia/Shanghai Asia/Singapore Asia/Tokyo Australia/Brisbane Australia/Melbourne Australia/Perth Australia/Sydney Europe/Amsterdam Europe/Athens Europe/Berlin Europe/Dublin Europe/Helsinki Europe/Istanbul Europe/Lisbon Europe/London Europe/Madrid Europe/Paris Europe/Rome Europe/Stockholm Europe/Vienna Europe/Warsaw Europe/Zurich Pacific/Auckland Pacific/Honolulu' --view= --guard --keep-ids --attendance --absent --stayed= --since=file) ;; esac
    case $command in 'registration stats') options+=('--tz=zone America/Bogota America/Buenos_Aires America/Chicago America/Denver America/Halifax America/Los_Angeles America/Mexico_City America/New_York America/Sao_Paulo America/Toronto Africa/Cairo Africa/Johannesburg Africa/Lagos Africa/Nairobi Asia/Bangkok Asia/Dubai Asia/Hong_Kong Asia/Jakarta Asia/Jerusalem Asia/Kolkata Asia/Manila Asia/Seoul Asia/Shanghai Asia/Singapore Asia/Tokyo Australia/Brisbane Australia/Melbourne Australia/Perth Australia/Sydney Europe/Amsterdam Europe/Athens Europe/Berlin Europe/Dublin Europe/Helsinki Europe/Istanbul Europe/Lisbon Europe/London Europe/Madrid Europe/Paris Europe/Rome Europe/Stockholm Europe/Vienna Europe/Warsaw Europe/Zurich Pacific/Auckland Pacific/Honolulu') ;; esac
    case $command in 'registration report') options+=(--from= '--room-set=name roomset' '--tz=zone America/Bogota America/Buenos_Aires America/Chicago America/Denver America/Halifax America/Los_Angeles America/Mexico_City America/New_York America/Sao_Paulo America/Toronto Africa/Cairo Africa/Johannesburg Africa/Lagos Africa/Nairobi Asia/Bangkok Asia/Dubai Asia/Hong_Kong Asia/Jakarta Asia/Jerusalem Asia/Kolkata Asia/Manila Asia/Seoul Asia/Shanghai Asia/Singapore Asia/Tokyo Australia/Brisbane Australia/Melbourne Australia/Perth Australia/Sydney Europe/Amsterdam Europe/Athens Europe/Berlin Europe/Dublin Europe/Helsinki Europe/Istanbul Europe/Lisbon Europe/London Europe/Madrid Europe/Paris Europe/Rome Europe/Stockholm Europe/Vienna Europe/Warsaw Europe/Zurich Pacific/Auckland Pacific/Honolulu' --with-people) ;; esac
    case $command in 'playlist create') options+=(--name= '--type=word FREE_PLAYLIST PAID_PLAYLIST' --qty= --duration= --available --not-available '--fields=list name id type qty duration available' '--sort-by=sort name id type qty duration available') ;; esac
    case $command in 'recording list') options+=('--room=name room closed' '--room-set=name roomset') ;; esac
    case $command in 'recording list' | 'recording wait') options+=('--fields=list name id status starts ends by visits size room recordingId processingStartDateTime processingEndDateTime userId storageBucket' '--sort-by=sort name id status starts ends by visits size room recordingId processingStartDateTime processingEndDateTime userId storageBucket') ;; esac
    case $command in 'recording wait' | 'transcription wait') options+=(--max-wait= --interval=) ;; esac
    case $command in 'recording timeline') options+=('--fields=list name id from to e-mail' '--sort-by=sort name id from to e-mail') ;; esac
    case $command in 'transcription list' | 'transcription process' | 'transcription wait') options+=('--fields=list name id status starts by processed room-set processingStartDateTime storageBucket' '--sort-by=sort name id status starts by processed room-set processingStartDateTime storageBucket') ;; esac
    case $command in 'transcription process') options+=('--room-set=name roomset' '--id=name transcription' '--status=word PROCESSING COMPLETE FAILED' --name= --storage-bucket= --started= --processing-started= --processing-ended=) ;; esac
    case $command in 'journal list') options+=(--open --runs --since=) ;; esac
    case $command in 'journal verify') options+=(--done --not-done) ;; esac
    case $command in 'journal repeat') options+=(--input=file) ;; esac
    case $command in 'sandbox serve') options+=(--port= --key= '--like=word spring' --lively) ;; esac
    case $command in 'sandbox serve' | 'sandbox seed' | 'sandbox reset') options+=(--strict --lenient --hostile) ;; esac
    case $command in 'sandbox seed') options+=(--registrations= --seed= --clock= --input=file --skeleton) ;; esac
    case $command in 'sandbox faults add') options+=(--from=file) ;; esac
    case $command in 'sandbox log') options+=(--judge --junit=file --after= --clear) ;; esac
    case $command in rehearse) options+=(--only --stop-after=) ;; esac
    case $command in api) options+=(-f= --raw-field= -F= --field= --input=file --paginate --openapi) ;; esac
    case $command in
    '') below=(demo profile doctor help roomset social rules theme invite user registration playlist recording transcription explain journal sandbox rehearse api describe completion) ;;
    profile) below=(add list show use remove check) ;;
    'profile add') arguments=(profile) ;;
    'profile show') arguments=(profile) ;;
    'profile use') arguments=(profile) ;;
    'profile remove') arguments=(profile) ;;
    'profile check') arguments=(profile) ;;
    help) below=(options exit-codes environment output replies files errors gaps glossary event-files lint man demo profile doctor help roomset social rules theme invite user registration playlist recording transcription explain journal sandbox rehearse api describe completion) ;;
    roomset) below=(list get tree create update edit copy export schema plan apply lint) ;;
    'roomset get') arguments=('name roomset') ;;
    'roomset tree') arguments=('name roomset') ;;
    'roomset create') arguments=('*') ;;
    'roomset update') arguments=('name roomset') ;;
    'roomset edit') arguments=('name roomset') ;;
    'roomset copy') arguments=('name roomset') ;;
    'roomset export') arguments=('name roomset') ;;
    'roomset plan') arguments=(file) ;;
    'roomset apply') arguments=(file) ;;
    'roomset lint') arguments=('*file') ;;
    social) below=(list get create copy end cta watch) ;;
    'social get') arguments=('name room closed') ;;
    'social copy') arguments=('name room closed') ;;
    'social end') arguments=('*name room') ;;
    'social cta') arguments=('name room closed') ;;
    'social watch') arguments=('*name roomset room closed') ;;
    rules) below=(save get) ;;
    'rules save') arguments=('name roomset') ;;
    'rules get') arguments=('name roomset' '') ;;
    theme) below=(save) ;;
    invite) below=(send) ;;
    'invite send') arguments=('name room') ;;
    user) below=(get) ;;
    'user get') arguments=('*id user') ;;
    registration) below=(list export check diff stats report) ;;
    'registration list') arguments=('id event') ;;
    'registration export') arguments=('id event') ;;
    'registration check') arguments=(file) ;;
    'registration diff') arguments=(file file) ;;
    'registration stats') arguments=('id event') ;;
    'registration report') arguments=('id event') ;;
    playlist) below=(create) ;;
    recording) below=(list wait timeline) ;;
    'recording wait') arguments=('name recording room closed') ;;
    'recording timeline') arguments=('name recording room closed') ;;
    transcription) below=(list process wait) ;;
    'transcription wait') arguments=('name transcription') ;;
    explain) below=(demo profile doctor help roomset social rules theme invite user registration playlist recording transcription explain journal sandbox rehearse api describe completion) ;;
    journal) below=(list show verify repeat) ;;
    'journal show') arguments=('id entry open run') ;;
    'journal verify') arguments=('id open') ;;
    'journal repeat') arguments=('id entry open') ;;
    sandbox) below=(serve seed reset snapshot restore faults log) ;;
    'sandbox snapshot') arguments=('') ;;
    'sandbox restore') arguments=('') ;;
    'sandbox faults') below=(list add clear words) ;;
    'sandbox faults add') arguments=('*word rows-inserted rows-deleted clamp-size ignore-page repeat-page empty-page row-twice odd-row other-event invite-errors other-id other-name without nulls uppercase-ids date-offset unknown-fields unknown-values empty-body denied end-of-list list-field list-total stale warned status retry-after after-commit body html key-revoked latency slow-drip truncated wrong-length drop-before-commit drop-after-commit reset like') ;;
    rehearse) arguments=('*file') ;;
    api) arguments=('*word roomset.create roomset.update roomset.list roomset.copy social.create social.copy social.end invite.send social.cta theme.save transcription.process transcription.list recording.list rules.save rules.get playlist.create user.get registration.list') ;;
    completion) arguments=('word bash zsh fish') ;;
    lint) arguments=('word schema time reference duplicate ends-first file people past unusual-time capacity rules-ignored no-rules unknown-rule-word incomplete-rule missing-image contrast color name no-capacity comment') ;;
    esac
}

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
