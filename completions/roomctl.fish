# fish completion for roomctl, made from its command tree: `python -m roomctl.manual write`
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

# Print the commands below a command; fails where there are none.
function __roomctl_commands -a command
    switch $command
        case ''
            string split ' ' -- 'demo profile doctor help roomset social rules theme invite user registration playlist recording transcription explain journal sandbox rehearse api describe completion'
        case 'profile'
            string split ' ' -- 'add list show use remove check'
        case 'roomset'
            string split ' ' -- 'list get tree create update edit copy'
        case 'social'
            string split ' ' -- 'list get create copy end cta watch'
        case 'rules'
            string split ' ' -- 'save get'
        case 'theme'
            string split ' ' -- 'save'
        case 'invite'
            string split ' ' -- 'send'
        case 'user'
            string split ' ' -- 'get'
        case 'registration'
            string split ' ' -- 'list export check diff stats'
        case 'playlist'
            string split ' ' -- 'create'
        case 'recording'
            string split ' ' -- 'list wait timeline'
        case 'transcription'
            string split ' ' -- 'list process wait'
        case 'journal'
            string split ' ' -- 'list show verify repeat'
        case 'sandbox'
            string split ' ' -- 'serve seed reset snapshot restore faults log'
        case 'sandbox faults'
            string split ' ' -- 'list add clear words'
        case '*'
            return 1
    end
end

# Whether an option takes a value: "COMMAND --option".
function __roomctl_takes -a option
    switch $option
        case 'playlist create --type'
            return 0
        case '* --profile' '* --expect-profile'
            return 0
        case '* --fault' '* --timeout' '* --retries' '* --rate' '* --concurrency' '* --fields' '* --query' '* --sort-by' '* --base-url' '* --key-env' '* --key-command' '* --copy-parameter' '* --limit' '* --page' '* --page-size' '* --sort' '* --name' '* --description' '* --group-former-count' '* --set' '* --starts' '* --ends' '* --max-participants' '* --starting-width' '* --starting-height' '* --theme' '* --configuration' '* --playlist' '* --artifact-set' '* --leave-open-until' '* --max-present' '* --expect-rooms' '* --interval' '* --times' '* --rule' '* --group-spawn-size' '* --starting-point-x' '* --starting-point-y' '* --image-far-id' '* --image-mid-id' '* --image-near-id' '* --theme-id' '* --color-primary' '* --color-secondary' '* --color-background' '* --color-gradient-background' '* --color-button-text' '* --color-button-bg' '* --image-width' '* --image-height' '* --template-id' '* --email' '* --batch' '* --text' '* --columns' '* --rename' '* --tz' '* --view' '* --stayed' '* --qty' '* --duration' '* --max-wait' '* --storage-bucket' '* --started' '* --processing-started' '* --processing-ended' '* --port' '* --key' '* --registrations' '* --seed' '* --clock' '* --after' '* --stop-after' '* -f' '* --raw-field' '* -F' '* --field'
            return 0
        case '* -o' '* --output'
            return 0
        case '* --to' '* --key-file' '* --ca-file' '* --input' '* --from' '* --results' '* --image' '* --image-far' '* --image-mid' '* --image-near' '* --preview-to' '* --since' '* --junit'
            return 0
        case '* --error-format'
            return 0
        case '* --event'
            return 0
        case '* --entry-option'
            return 0
        case '* --permission-type'
            return 0
        case '* --starting-point'
            return 0
        case '* --room-set'
            return 0
        case '* --platform'
            return 0
        case '* --entry-flow'
            return 0
        case '* --type'
            return 0
        case '* --user'
            return 0
        case '* --format'
            return 0
        case '* --id'
            return 0
        case '* --status'
            return 0
        case '* --state'
            return 0
        case '* --operation'
            return 0
    end
    return 1
end

complete -c roomctl -f
complete -c roomctl -n '__roomctl_at \'\'' -a 'demo' -d 'see the main job done on the embedded service: rooms, invitations, rules, an ended room, an export'
complete -c roomctl -n '__roomctl_at \'\'' -a 'profile' -d 'profiles: a base URL and where its key comes from, in one file that only you can read'
complete -c roomctl -n '__roomctl_at \'\'' -a 'doctor' -d 'check this machine: config, profiles, key, folders, clock, journal, sandbox; each with the next step'
complete -c roomctl -n '__roomctl_at \'\'' -a 'help' -d 'explain a topic; without one, list the topics'
complete -c roomctl -n '__roomctl_at \'\'' -a 'roomset' -d 'room sets: rooms that belong together'
complete -c roomctl -n '__roomctl_at \'\'' -a 'social' -d 'rooms, called social by the service'
complete -c roomctl -n '__roomctl_at \'\'' -a 'rules' -d 'entry rules: how people enter the rooms of a set'
complete -c roomctl -n '__roomctl_at \'\'' -a 'theme' -d 'themes: the look of a room'
complete -c roomctl -n '__roomctl_at \'\'' -a 'invite' -d 'invitations to a room'
complete -c roomctl -n '__roomctl_at \'\'' -a 'user' -d 'users'
complete -c roomctl -n '__roomctl_at \'\'' -a 'registration' -d 'registrations of an event'
complete -c roomctl -n '__roomctl_at \'\'' -a 'playlist' -d 'audio playlists'
complete -c roomctl -n '__roomctl_at \'\'' -a 'recording' -d 'recordings that the key\'s own user made'
complete -c roomctl -n '__roomctl_at \'\'' -a 'transcription' -d 'transcriptions of the company; which ones are listed is not documented'
complete -c roomctl -n '__roomctl_at \'\'' -a 'explain' -d 'explain a command: what it calls, the same with curl, what is repeated, what a lost answer means'
complete -c roomctl -n '__roomctl_at \'\'' -a 'journal' -d 'the journal: every write, before it was sent and after'
complete -c roomctl -n '__roomctl_at \'\'' -a 'sandbox' -d 'the sandbox: the whole service, embedded; state is kept between runs'
complete -c roomctl -n '__roomctl_at \'\'' -a 'rehearse' -d 'run a script against a sandbox of its own: once as things should be, then once for each thing that goes wrong'
complete -c roomctl -n '__roomctl_at \'\'' -a 'api' -d 'call any operation of the interface; without one, list them'
complete -c roomctl -n '__roomctl_at \'\'' -a 'describe' -d 'describe the whole tool: commands, options, operations, fields, exit codes, errors, environment'
complete -c roomctl -n '__roomctl_at \'\'' -a 'completion' -d 'print the completion script of a shell, to be saved where the shell looks for it'
complete -c roomctl -n '__roomctl_at \'profile\'' -a 'add' -d 'add a profile'
complete -c roomctl -n '__roomctl_at \'profile\'' -a 'list' -d 'list the profiles; keys are never shown'
complete -c roomctl -n '__roomctl_at \'profile\'' -a 'show' -d 'show every setting in force, its value, and where it comes from; the key is masked'
complete -c roomctl -n '__roomctl_at \'profile\'' -a 'use' -d 'make a profile the default one'
complete -c roomctl -n '__roomctl_at \'profile\'' -a 'remove' -d 'remove a profile, and its key with it'
complete -c roomctl -n '__roomctl_at \'profile\'' -a 'check' -d 'ask the service for one page of room sets: whether the URL answers and the key is accepted'
complete -c roomctl -n '__roomctl_at \'roomset\'' -a 'list' -d 'list my room sets'
complete -c roomctl -n '__roomctl_at \'roomset\'' -a 'get' -d 'show one of my room sets, as it stands in the list of them'
complete -c roomctl -n '__roomctl_at \'roomset\'' -a 'tree' -d 'draw the sets, their rooms, open or closed, and how many people are present'
complete -c roomctl -n '__roomctl_at \'roomset\'' -a 'create' -d 'create a room set'
complete -c roomctl -n '__roomctl_at \'roomset\'' -a 'update' -d 'change fields of a room set; fields that are not given stay as they are'
complete -c roomctl -n '__roomctl_at \'roomset\'' -a 'edit' -d 'open a room set in $EDITOR and send only what was changed, after showing the difference'
complete -c roomctl -n '__roomctl_at \'roomset\'' -a 'copy' -d 'copy a room set with its rooms and settings'
complete -c roomctl -n '__roomctl_at \'social\'' -a 'list' -d 'list the rooms in my room sets; rooms outside them cannot be seen'
complete -c roomctl -n '__roomctl_at \'social\'' -a 'get' -d 'show a room, as it stands in my room sets; rooms outside them cannot be seen'
complete -c roomctl -n '__roomctl_at \'social\'' -a 'create' -d 'create a room'
complete -c roomctl -n '__roomctl_at \'social\'' -a 'copy' -d 'copy a room with its settings'
complete -c roomctl -n '__roomctl_at \'social\'' -a 'end' -d 'end rooms: close them to new participants'
complete -c roomctl -n '__roomctl_at \'social\'' -a 'cta' -d 'list the call-to-action items of a room'
complete -c roomctl -n '__roomctl_at \'social\'' -a 'watch' -d 'watch the rooms of a set: open or closed, and how many people are present, until Ctrl-C'
complete -c roomctl -n '__roomctl_at \'rules\'' -a 'save' -d 'save the entry rules of a room set'
complete -c roomctl -n '__roomctl_at \'rules\'' -a 'get' -d 'show the entry rules of a room set: one configuration, or all that the set\'s rooms name'
complete -c roomctl -n '__roomctl_at \'theme\'' -a 'save' -d 'create a theme, or update the one that --theme-id names'
complete -c roomctl -n '__roomctl_at \'invite\'' -a 'send' -d 'invite people to a room by user id or e-mail address; a result for each of them'
complete -c roomctl -n '__roomctl_at \'user\'' -a 'get' -d 'show users by id: one object for one user, else an array of results'
complete -c roomctl -n '__roomctl_at \'registration\'' -a 'list' -d 'list the registrations of an event'
complete -c roomctl -n '__roomctl_at \'registration\'' -a 'export' -d 'export the registrations of an event to a file that proves that it is whole'
complete -c roomctl -n '__roomctl_at \'registration\'' -a 'check' -d 'check an export against its manifest: hash, rows, distinct ids, columns; exit 6 says what differs'
complete -c roomctl -n '__roomctl_at \'registration\'' -a 'diff' -d 'compare two exports: which registrations are new, changed and in which fields, gone'
complete -c roomctl -n '__roomctl_at \'registration\'' -a 'stats' -d 'count the registrations of an event: by day, by source, the confirmed share, how long before the event'
complete -c roomctl -n '__roomctl_at \'playlist\'' -a 'create' -d 'create an audio playlist'
complete -c roomctl -n '__roomctl_at \'recording\'' -a 'list' -d 'list my recordings'
complete -c roomctl -n '__roomctl_at \'recording\'' -a 'wait' -d 'wait until a recording is processed: exit 0 when COMPLETE, 6 when FAILED, 8 when time runs out'
complete -c roomctl -n '__roomctl_at \'recording\'' -a 'timeline' -d 'show who was there when: the recording\'s participants, in the order in which they came'
complete -c roomctl -n '__roomctl_at \'transcription\'' -a 'list' -d 'list the company\'s transcriptions'
complete -c roomctl -n '__roomctl_at \'transcription\'' -a 'process' -d 'send a transcription to processing; what the service does with it is not documented'
complete -c roomctl -n '__roomctl_at \'transcription\'' -a 'wait' -d 'wait until a transcription is processed: exit 0 when COMPLETE, 6 when FAILED, 8 when time runs out'
complete -c roomctl -n '__roomctl_at \'journal\'' -a 'list' -d 'list what was sent, newest first; or the bulk runs, with how many rows went how'
complete -c roomctl -n '__roomctl_at \'journal\'' -a 'show' -d 'show one entry whole'
complete -c roomctl -n '__roomctl_at \'journal\'' -a 'verify' -d 'look at what has no known outcome, and settle what reading can settle'
complete -c roomctl -n '__roomctl_at \'journal\'' -a 'repeat' -d 'send a write once more, after asking'
complete -c roomctl -n '__roomctl_at \'sandbox\'' -a 'serve' -d 'serve the sandbox over HTTP on this machine only, for any client, until Ctrl-C'
complete -c roomctl -n '__roomctl_at \'sandbox\'' -a 'seed' -d 'make a world: people, room sets, rooms, events, recordings'
complete -c roomctl -n '__roomctl_at \'sandbox\'' -a 'reset' -d 'empty the sandbox, its faults and its log too; its next use seeds it again'
complete -c roomctl -n '__roomctl_at \'sandbox\'' -a 'snapshot' -d 'keep the sandbox\'s world as it is now under a name; without a name, list what is kept'
complete -c roomctl -n '__roomctl_at \'sandbox\'' -a 'restore' -d 'put a snapshot in place of the sandbox\'s world'
complete -c roomctl -n '__roomctl_at \'sandbox\'' -a 'faults' -d 'what goes wrong in the sandbox: lost answers, refusals, slow and broken replies, changing lists'
complete -c roomctl -n '__roomctl_at \'sandbox\'' -a 'log' -d 'show every request that the sandbox saw: when, what, its status, the fault applied, whether it took effect'
complete -c roomctl -n '__roomctl_at \'sandbox faults\'' -a 'list' -d 'list the faults that stand, in the order in which they are tried, and how often each was met and applied'
complete -c roomctl -n '__roomctl_at \'sandbox faults\'' -a 'add' -d 'let things go wrong: the next runs in process and a sandbox that is served see it at once'
complete -c roomctl -n '__roomctl_at \'sandbox faults\'' -a 'clear' -d 'take all faults away: the sandbox is well again'
complete -c roomctl -n '__roomctl_at \'sandbox faults\'' -a 'words' -d 'list the words of a fault: what it does, and which requests it meets'
complete -c roomctl -n '__roomctl_argument \'profile add 0\' \'profile show 0\' \'profile use 0\' \'profile remove 0\' \'profile check 0\'' -k -a '(__roomctl_profiles)'
complete -c roomctl -n '__roomctl_argument \'help 0\'' -k -a 'options exit-codes environment output files errors gaps'
complete -c roomctl -n '__roomctl_argument \'roomset get 0\' \'roomset tree 0\' \'roomset update 0\' \'roomset edit 0\' \'roomset copy 0\' \'social watch 0\' \'rules save 0\' \'rules get 0\'' -k -a '(__roomctl_seen name roomset)'
complete -c roomctl -n '__roomctl_argument \'social get 0\' \'social copy 0\' \'social end *\' \'social cta 0\' \'invite send 0\'' -k -a '(__roomctl_seen name room)'
complete -c roomctl -n '__roomctl_argument \'user get *\'' -k -a '(__roomctl_seen id user)'
complete -c roomctl -n '__roomctl_argument \'registration list 0\' \'registration export 0\' \'registration stats 0\'' -k -a '(__roomctl_seen id event)'
complete -c roomctl -n '__roomctl_argument \'registration check 0\' \'registration diff 0\' \'registration diff 1\' \'rehearse *\'' -k -F
complete -c roomctl -n '__roomctl_argument \'recording wait 0\' \'recording timeline 0\'' -k -a '(__roomctl_seen id recording)'
complete -c roomctl -n '__roomctl_argument \'transcription wait 0\'' -k -a '(__roomctl_seen id transcription)'
complete -c roomctl -n '__roomctl_argument \'explain *\'' -k -a 'demo profile add list show use remove check doctor help roomset get tree create update edit copy social end cta watch rules save theme invite send user registration export diff stats playlist recording wait timeline transcription process explain journal verify repeat sandbox serve seed reset snapshot restore faults clear words log rehearse api describe completion'
complete -c roomctl -n '__roomctl_argument \'api *\'' -k -a 'roomset.create roomset.update roomset.list roomset.copy social.create social.copy social.end invite.send social.cta theme.save transcription.process transcription.list recording.list rules.save rules.get playlist.create user.get registration.list'
complete -c roomctl -n '__roomctl_argument \'completion 0\'' -k -a 'bash zsh fish'
complete -c roomctl -n '__roomctl_at \'\'' -l version -d 'print the version and exit'
complete -c roomctl -l profile -x -a '(__roomctl_profiles)' -d 'the profile to use'
complete -c roomctl -l sandbox -d 'use the embedded service'
complete -c roomctl -l fault -x -d 'let the sandbox fail so, in this run; sandbox faults add says how'
complete -c roomctl -l timeout -x -d 'seconds for one attempt'
complete -c roomctl -l retries -x -d 'repeat a request so often at most'
complete -c roomctl -l rate -x -d 'so many requests a second at most'
complete -c roomctl -l concurrency -x -d 'so many requests at a time; 1 keeps an export in one process'
complete -c roomctl -s y -l yes -d 'ask nothing'
complete -c roomctl -l no-input -d 'never ask: fail where a question would come'
complete -c roomctl -s o -l output -x -a 'table json ndjson csv tsv yaml ids md' -d 'form of the result'
complete -c roomctl -l json -d 'the same as -o json'
complete -c roomctl -l to -r -F -d 'write the result to a new file'
complete -c roomctl -l force -d 'let --to replace an existing file'
complete -c roomctl -l fields -x -d 'only these fields, in this order'
complete -c roomctl -n '__roomctl_at \'\' \'demo\' \'profile\' \'profile add\' \'profile list\' \'profile show\' \'profile use\' \'profile remove\' \'profile check\' \'doctor\' \'help\' \'roomset\' \'roomset list\' \'roomset get\' \'roomset tree\' \'roomset update\' \'roomset edit\' \'roomset copy\' \'social\' \'social list\' \'social get\' \'social end\' \'social cta\' \'social watch\' \'rules\' \'rules save\' \'rules get\' \'theme\' \'theme save\' \'invite\' \'invite send\' \'user\' \'user get\' \'registration\' \'registration list\' \'registration export\' \'registration check\' \'registration diff\' \'registration stats\' \'playlist\' \'playlist create\' \'recording\' \'recording list\' \'recording wait\' \'recording timeline\' \'transcription\' \'transcription list\' \'transcription process\' \'transcription wait\' \'explain\' \'journal\' \'journal list\' \'journal show\' \'journal verify\' \'journal repeat\' \'sandbox\' \'sandbox serve\' \'sandbox seed\' \'sandbox reset\' \'sandbox snapshot\' \'sandbox restore\' \'sandbox faults\' \'sandbox faults list\' \'sandbox faults add\' \'sandbox faults clear\' \'sandbox faults words\' \'sandbox log\' \'rehearse\' \'describe\' \'completion\'' -l query -x -d 'a JMESPath expression, applied to the whole result'
complete -c roomctl -l sort-by -x -d 'sort what arrived'
complete -c roomctl -l no-header -d 'no heading in table, csv, tsv'
complete -c roomctl -l error-format -x -a 'text json github' -d 'form of an error'
complete -c roomctl -s q -l quiet -d 'no notes on stderr'
complete -c roomctl -s v -l verbose -d 'say what is asked of whom, without secrets'
complete -c roomctl -l debug -d 'write a trace without secrets to a private file'
complete -c roomctl -s h -l help -d 'show the help and exit'
complete -c roomctl -n '__roomctl_at \'profile add\'' -l base-url -x -d 'https, or http on this machine'
complete -c roomctl -n '__roomctl_at \'profile add\'' -l key-stdin -d 'read the key from stdin'
complete -c roomctl -n '__roomctl_at \'profile add\'' -l key-env -x -d 'an environment variable that holds it'
complete -c roomctl -n '__roomctl_at \'profile add\'' -l key-file -r -F -d 'a file that holds it'
complete -c roomctl -n '__roomctl_at \'profile add\'' -l key-command -x -d 'a command that prints it; no shell'
complete -c roomctl -n '__roomctl_at \'profile add\'' -l protected -d 'writes ask for a typed word'
complete -c roomctl -n '__roomctl_at \'profile add\'' -l read-only -d 'refuse every write'
complete -c roomctl -n '__roomctl_at \'profile add\'' -l copy-parameter -x -d 'the query parameter of social copy'
complete -c roomctl -n '__roomctl_at \'profile add\'' -l ca-file -r -F -d 'certificates to trust'
complete -c roomctl -n '__roomctl_at \'profile add\'' -l use -d 'make it the default profile'
complete -c roomctl -n '__roomctl_at \'profile add\'' -l replace -d 'replace a profile of that name'
complete -c roomctl -n '__roomctl_at \'doctor\'' -l probe -d 'ask the service, with reads only, and keep what it shows'
complete -c roomctl -n '__roomctl_at \'doctor\'' -l event -x -a '(__roomctl_seen id event)' -d 'with --probe: a long list to page through'
complete -c roomctl -n '__roomctl_at \'roomset list\' \'social cta\' \'registration list\' \'registration export\' \'recording list\' \'transcription list\' \'api\'' -l limit -x -d 'items in all'
complete -c roomctl -n '__roomctl_at \'roomset list\' \'social cta\' \'registration list\' \'registration export\' \'recording list\' \'transcription list\' \'api\'' -l page -x -d 'exactly one raw page'
complete -c roomctl -n '__roomctl_at \'roomset list\' \'social cta\' \'registration list\' \'registration export\' \'recording list\' \'transcription list\' \'api\'' -l page-size -x -d 'items asked for at a time'
complete -c roomctl -n '__roomctl_at \'roomset list\' \'social cta\' \'registration list\' \'registration export\' \'recording list\' \'transcription list\' \'api\'' -l sort -x -d 'let the service sort; its names are not documented'
complete -c roomctl -n '__roomctl_at \'roomset create\' \'roomset update\'' -l name -x -d 'the set\'s name'
complete -c roomctl -n '__roomctl_at \'roomset create\' \'roomset update\'' -l description -x -d 'what the set is for'
complete -c roomctl -n '__roomctl_at \'roomset create\' \'roomset update\' \'rules save\'' -l entry-option -x -a 'DEFAULT ACCOUNT CUSTOM_RULES STARTING_POINT' -d 'how people enter'
complete -c roomctl -n '__roomctl_at \'roomset create\' \'roomset update\'' -l group-former-count -x -d 'meaning not documented'
complete -c roomctl -n '__roomctl_at \'roomset create\' \'roomset update\'' -l anyone-can-start -d 'who can start its rooms'
complete -c roomctl -n '__roomctl_at \'roomset create\' \'roomset update\'' -l only-host-can-start -d 'not: who can start its rooms'
complete -c roomctl -n '__roomctl_at \'roomset create\' \'roomset update\' \'social create\'' -l guests -d 'whether guests may come'
complete -c roomctl -n '__roomctl_at \'roomset create\' \'roomset update\' \'social create\'' -l no-guests -d 'not: whether guests may come'
complete -c roomctl -n '__roomctl_at \'roomset create\' \'roomset update\' \'social create\'' -l host-admitted -d 'hostAdmitted, whose meaning is not documented'
complete -c roomctl -n '__roomctl_at \'roomset create\' \'roomset update\' \'social create\'' -l no-host-admitted -d 'not: hostAdmitted, whose meaning is not documented'
complete -c roomctl -n '__roomctl_at \'roomset create\' \'roomset update\' \'social create\'' -l permission-type -x -a 'PUBLIC COMPANY_AND_CONNECTIONS CONNECTIONS COMPANY' -d 'who may come'
complete -c roomctl -n '__roomctl_at \'roomset create\' \'roomset update\'' -l starting-point -x -a '(__roomctl_seen id room)' -d 'the room in which people start'
complete -c roomctl -n '__roomctl_at \'roomset create\' \'roomset update\' \'social create\' \'rules save\' \'theme save\' \'playlist create\' \'transcription process\'' -l input -r -F -d 'the body as JSON or YAML; options override it'
complete -c roomctl -n '__roomctl_at \'roomset create\' \'roomset update\' \'social create\' \'rules save\' \'theme save\' \'playlist create\' \'transcription process\'' -l set -x -d 'set any field; may be repeated'
complete -c roomctl -n '__roomctl_at \'roomset create\' \'roomset update\' \'social create\' \'rules save\' \'theme save\' \'invite send\' \'playlist create\' \'transcription process\'' -l skeleton -d 'print a body to fill in, send nothing'
complete -c roomctl -n '__roomctl_at \'roomset create\' \'roomset update\' \'social create\' \'rules save\' \'theme save\' \'invite send\' \'playlist create\' \'transcription process\'' -l allow-unknown -d 'send fields that the interface does not name'
complete -c roomctl -n '__roomctl_at \'roomset create\' \'social create\' \'social copy\' \'api\'' -l query -x -d 'key=value: a query parameter, not documented, may be repeated; else a JMESPath expression'
complete -c roomctl -n '__roomctl_at \'roomset create\' \'roomset update\' \'roomset edit\' \'roomset copy\' \'social create\' \'social copy\' \'social end\' \'rules save\' \'theme save\' \'invite send\' \'playlist create\' \'transcription process\' \'journal repeat\' \'api\'' -s n -l dry-run -d 'print the request, send no write'
complete -c roomctl -n '__roomctl_at \'roomset create\' \'roomset update\' \'roomset edit\' \'roomset copy\' \'social create\' \'social copy\' \'social end\' \'rules save\' \'theme save\' \'invite send\' \'playlist create\' \'transcription process\' \'journal repeat\' \'api\'' -l curl -d 'print the request as a curl command, send no write'
complete -c roomctl -n '__roomctl_at \'roomset create\' \'roomset update\' \'roomset edit\' \'roomset copy\' \'social create\' \'social copy\' \'social end\' \'rules save\' \'theme save\' \'invite send\' \'playlist create\' \'transcription process\' \'journal repeat\' \'api\'' -l expect-profile -x -a '(__roomctl_profiles)' -d 'send nothing unless this profile is active'
complete -c roomctl -n '__roomctl_at \'roomset update\'' -l show -d 'read the set back and print it'
complete -c roomctl -n '__roomctl_at \'roomset copy\'' -l name -x -d 'the copy\'s name'
complete -c roomctl -n '__roomctl_at \'social list\'' -l room-set -x -a '(__roomctl_seen name roomset)' -d 'only rooms of this set; may be repeated'
complete -c roomctl -n '__roomctl_at \'social list\'' -l open -d 'only open rooms, or only closed ones'
complete -c roomctl -n '__roomctl_at \'social list\'' -l closed -d 'not: only open rooms, or only closed ones'
complete -c roomctl -n '__roomctl_at \'social create\'' -l room-set -x -a '(__roomctl_seen name roomset)' -d 'the set that it belongs to'
complete -c roomctl -n '__roomctl_at \'social create\'' -l name -x -d 'the room\'s name'
complete -c roomctl -n '__roomctl_at \'social create\'' -l description -x -d 'what the room is for'
complete -c roomctl -n '__roomctl_at \'social create\'' -l starts -x -d '2026-11-21T18:30:00+01:00, +15m or 18:30@ZONE'
complete -c roomctl -n '__roomctl_at \'social create\'' -l ends -x -d '2026-11-21T18:30:00+01:00, +2h or 20:00@ZONE'
complete -c roomctl -n '__roomctl_at \'social create\'' -l platform -x -a 'PLATFORM_A PLATFORM_B' -d 'the platform'
complete -c roomctl -n '__roomctl_at \'social create\'' -l max-participants -x -d 'bounds not documented'
complete -c roomctl -n '__roomctl_at \'social create\'' -l starting-width -x -d 'unit not documented'
complete -c roomctl -n '__roomctl_at \'social create\'' -l starting-height -x -d 'unit not documented'
complete -c roomctl -n '__roomctl_at \'social create\'' -l theme -x -d 'a theme\'s id'
complete -c roomctl -n '__roomctl_at \'social create\'' -l configuration -x -d 'an entry configuration\'s id'
complete -c roomctl -n '__roomctl_at \'social create\'' -l playlist -x -d 'a playlist\'s id'
complete -c roomctl -n '__roomctl_at \'social create\'' -l artifact-set -x -d 'an artifact set\'s id'
complete -c roomctl -n '__roomctl_at \'social create\'' -l recurring -d 'whether it comes again'
complete -c roomctl -n '__roomctl_at \'social create\'' -l once -d 'not: whether it comes again'
complete -c roomctl -n '__roomctl_at \'social create\'' -l anyone-can-start -d 'who can start it'
complete -c roomctl -n '__roomctl_at \'social create\'' -l only-host-can-start -d 'not: who can start it'
complete -c roomctl -n '__roomctl_at \'social create\'' -l free -d 'free, whose meaning is not documented'
complete -c roomctl -n '__roomctl_at \'social create\'' -l not-free -d 'not: free, whose meaning is not documented'
complete -c roomctl -n '__roomctl_at \'social create\'' -l connected -d 'connectedRoom, whose meaning is not documented'
complete -c roomctl -n '__roomctl_at \'social create\'' -l not-connected -d 'not: connectedRoom, whose meaning is not documented'
complete -c roomctl -n '__roomctl_at \'social end\'' -l leave-open-until -x -d '2026-11-21T18:30:00+01:00, +15m or 18:30@ZONE; its effect is not documented'
complete -c roomctl -n '__roomctl_at \'social end\'' -l from -r -F -d 'a list of ids, or CSV with the column socialId'
complete -c roomctl -n '__roomctl_at \'social end\'' -l room-set -x -a '(__roomctl_seen name roomset)' -d 'the open rooms of this set, closed ones are skipped; may be repeated'
complete -c roomctl -n '__roomctl_at \'social end\'' -l max-present -x -d 'no room has more people present'
complete -c roomctl -n '__roomctl_at \'social end\'' -l only-if-empty -d 'nobody is present in any of the rooms'
complete -c roomctl -n '__roomctl_at \'social end\'' -l only-past-end -d 'each room\'s planned end is past'
complete -c roomctl -n '__roomctl_at \'social end\'' -l expect-rooms -x -d 'it is about so many rooms'
complete -c roomctl -n '__roomctl_at \'social end\' \'invite send\' \'user get\'' -l results -r -F -d 'write what became of each row; it is the next input'
complete -c roomctl -n '__roomctl_at \'social end\' \'invite send\' \'user get\'' -l resume -d 'go on with a run that was interrupted'
complete -c roomctl -n '__roomctl_at \'social end\' \'invite send\' \'user get\'' -l retry-unknown -d 'send rows again whose outcome is unknown; they may take effect twice'
complete -c roomctl -n '__roomctl_at \'social end\' \'invite send\' \'user get\'' -l skip-bad -d 'send the rest when rows of the input are bad'
complete -c roomctl -n '__roomctl_at \'social end\' \'invite send\' \'user get\'' -l keep-going -d 'do not stop after many failures'
complete -c roomctl -n '__roomctl_at \'social cta\'' -l map -d 'draw where they are placed, with a legend'
complete -c roomctl -n '__roomctl_at \'social watch\'' -l interval -x -d 'time between two looks: 5s, 1m'
complete -c roomctl -n '__roomctl_at \'social watch\'' -l times -x -d 'end after so many looks'
complete -c roomctl -n '__roomctl_at \'rules save\'' -l rule -x -d 'a rule; may be repeated'
complete -c roomctl -n '__roomctl_at \'rules save\'' -l show -d 'read the configuration back and print it'
complete -c roomctl -n '__roomctl_at \'rules save\'' -l name -x -d 'the configuration\'s name'
complete -c roomctl -n '__roomctl_at \'rules save\'' -l configuration -x -d 'the configuration to update'
complete -c roomctl -n '__roomctl_at \'rules save\'' -l entry-flow -x -a 'SPIRAL GRID' -d 'in which order places fill'
complete -c roomctl -n '__roomctl_at \'rules save\'' -l group-spawn-size -x -d 'bounds not documented'
complete -c roomctl -n '__roomctl_at \'rules save\'' -l group-former-count -x -d 'bounds not documented'
complete -c roomctl -n '__roomctl_at \'rules save\'' -l starting-point-x -x -d 'where people start; unit not documented'
complete -c roomctl -n '__roomctl_at \'rules save\'' -l starting-point-y -x -d 'where people start; unit not documented'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l image -r -F -d 'the image; PNG, JPEG, GIF, WebP, BMP'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l image-far -r -F -d 'the far layer'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l image-mid -r -F -d 'the middle layer'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l image-near -r -F -d 'the near layer'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l image-far-id -x -d 'the id of an image that is there already, as the far layer'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l image-mid-id -x -d 'the id of an image that is there already, as the middle layer'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l image-near-id -x -d 'the id of an image that is there already, as the near layer'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l preview -d 'show colours and images, send nothing'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l preview-to -r -F -d 'and write the images as one; needs Pillow'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l name -x -d 'the theme\'s name'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l theme-id -x -d 'the theme to update; without it one is created'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l type -x -a 'LAYERED SINGLE_IMAGE SINGLE_COLOR' -d 'what the theme is made of'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l description -x -d 'what the theme is for'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l color-primary -x -d 'the main colour, such as #102030; its form is not documented'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l color-secondary -x -d 'the second colour'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l color-background -x -d 'the colour behind everything'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l color-gradient-background -x -d 'the colour that the background runs into'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l color-button-text -x -d 'the colour of text on buttons'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l color-button-bg -x -d 'the colour of buttons'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l image-width -x -d 'width of the images; unit not documented'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l image-height -x -d 'height of the images; unit not documented'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l template-id -x -d 'a template\'s id'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l artifact-set -x -d 'the default artifact set\'s id'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l multi-size -d 'multiSize, whose meaning is not documented'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l single-size -d 'not: multiSize, whose meaning is not documented'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l minimap -d 'addToMiniMap, whose meaning is not documented'
complete -c roomctl -n '__roomctl_at \'theme save\'' -l no-minimap -d 'not: addToMiniMap, whose meaning is not documented'
complete -c roomctl -n '__roomctl_at \'invite send\'' -l user -x -a '(__roomctl_seen id user)' -d 'a user\'s id; repeats'
complete -c roomctl -n '__roomctl_at \'invite send\'' -l email -x -d 'a person\'s address; repeats'
complete -c roomctl -n '__roomctl_at \'invite send\'' -l from -r -F -d 'CSV with the column invitedUserId or emailAddress, or a list of ids or addresses'
complete -c roomctl -n '__roomctl_at \'invite send\'' -l batch -x -d 'people for each request'
complete -c roomctl -n '__roomctl_at \'invite send\'' -l input -r -F -d 'the records as JSON or YAML, sent as they are'
complete -c roomctl -n '__roomctl_at \'user get\'' -l from -r -F -d 'a list of ids, or CSV with the column userId'
complete -c roomctl -n '__roomctl_at \'registration list\' \'registration export\' \'registration stats\' \'recording list\' \'transcription list\'' -l text -x -d 'let the service search; its rule is not documented'
complete -c roomctl -n '__roomctl_at \'registration export\'' -l format -x -a 'csv excel-csv tsv ndjson json xlsx sqlite parquet' -d 'the form of the file, else told by the end of its name'
complete -c roomctl -n '__roomctl_at \'registration export\'' -l verify -d 'read the list again until a whole pass brings nothing new'
complete -c roomctl -n '__roomctl_at \'registration export\'' -l columns -x -d 'only these columns, in this order'
complete -c roomctl -n '__roomctl_at \'registration export\'' -l rename -x -d 'another heading; may be repeated'
complete -c roomctl -n '__roomctl_at \'registration export\'' -l tz -x -d 'put times on the clock of this zone'
complete -c roomctl -n '__roomctl_at \'registration export\'' -l view -x -d 'columns, headings and zone of [views.NAME] in the config file; options win'
complete -c roomctl -n '__roomctl_at \'registration export\'' -l guard -d 'keep spreadsheets from taking cells of csv and tsv for formulas'
complete -c roomctl -n '__roomctl_at \'registration export\'' -l keep-ids -d 'leave FILE.ids beside the file, for a later --since of any format'
complete -c roomctl -n '__roomctl_at \'registration export\'' -l attendance -d 'add who was seen when; from recordings: rooms not recorded cannot be seen'
complete -c roomctl -n '__roomctl_at \'registration export\'' -l absent -d 'only who was not seen in any recording'
complete -c roomctl -n '__roomctl_at \'registration export\'' -l stayed -x -d 'only who was seen for this share of the event'
complete -c roomctl -n '__roomctl_at \'registration export\'' -l since -r -F -d 'an earlier export: write only what is new or changed'
complete -c roomctl -n '__roomctl_at \'registration stats\'' -l tz -x -d 'whose days are counted'
complete -c roomctl -n '__roomctl_at \'playlist create\'' -l name -x -d 'the playlist\'s name'
complete -c roomctl -n '__roomctl_at \'playlist create\'' -l type -x -a 'FREE_PLAYLIST PAID_PLAYLIST' -d 'free or paid'
complete -c roomctl -n '__roomctl_at \'playlist create\'' -l qty -x -d 'meaning not documented'
complete -c roomctl -n '__roomctl_at \'playlist create\'' -l duration -x -d 'unit not documented'
complete -c roomctl -n '__roomctl_at \'playlist create\'' -l available -d 'available, whose meaning is not documented'
complete -c roomctl -n '__roomctl_at \'playlist create\'' -l not-available -d 'not: available, whose meaning is not documented'
complete -c roomctl -n '__roomctl_at \'recording wait\' \'transcription wait\'' -l max-wait -x -d 'give up after this: 30s, 5m, 2h'
complete -c roomctl -n '__roomctl_at \'recording wait\' \'transcription wait\'' -l interval -x -d 'time between two looks'
complete -c roomctl -n '__roomctl_at \'transcription process\'' -l room-set -x -a '(__roomctl_seen name roomset)' -d 'the room set that it belongs to'
complete -c roomctl -n '__roomctl_at \'transcription process\'' -l id -x -a '(__roomctl_seen id transcription)' -d 'its id'
complete -c roomctl -n '__roomctl_at \'transcription process\'' -l status -x -a 'PROCESSING COMPLETE FAILED' -d 'its status'
complete -c roomctl -n '__roomctl_at \'transcription process\'' -l name -x -d 'its name'
complete -c roomctl -n '__roomctl_at \'transcription process\'' -l storage-bucket -x -d 'storageBucket'
complete -c roomctl -n '__roomctl_at \'transcription process\'' -l started -x -d 'startDateTime: 2026-11-21T18:30:00+01:00'
complete -c roomctl -n '__roomctl_at \'transcription process\'' -l processing-started -x -d 'processingStartDateTime, in the same form'
complete -c roomctl -n '__roomctl_at \'transcription process\'' -l processing-ended -x -d 'processingEndDateTime, in the same form'
complete -c roomctl -n '__roomctl_at \'journal list\'' -l state -x -a 'planned sent confirmed refused unknown not_sent' -d 'only entries in this state'
complete -c roomctl -n '__roomctl_at \'journal list\'' -l operation -x -a 'roomset.create roomset.update roomset.list roomset.copy social.create social.copy social.end invite.send social.cta theme.save transcription.process transcription.list recording.list rules.save rules.get playlist.create user.get registration.list' -d 'only this one, as roomctl api lists them'
complete -c roomctl -n '__roomctl_at \'journal list\'' -l open -d 'only what has no known outcome, or has not finished'
complete -c roomctl -n '__roomctl_at \'journal list\'' -l runs -d 'the bulk runs over files, in place of single requests'
complete -c roomctl -n '__roomctl_at \'journal repeat\'' -l input -r -F -d 'the same body again; the journal keeps none'
complete -c roomctl -n '__roomctl_at \'sandbox serve\'' -l port -x -d '0: any free port'
complete -c roomctl -n '__roomctl_at \'sandbox serve\'' -l key -x -d 'a key for tests; never a live one. Else a random one is made'
complete -c roomctl -n '__roomctl_at \'sandbox serve\' \'sandbox seed\' \'sandbox reset\'' -l strict -d 'refuse what the interface does not document'
complete -c roomctl -n '__roomctl_at \'sandbox serve\' \'sandbox seed\' \'sandbox reset\'' -l lenient -d 'read each gap of the interface kindly: the default'
complete -c roomctl -n '__roomctl_at \'sandbox serve\' \'sandbox seed\' \'sandbox reset\'' -l hostile -d 'read each gap as badly as the interface still allows'
complete -c roomctl -n '__roomctl_at \'sandbox seed\'' -l registrations -x -d 'of the main event: 250, up to 1,000,000'
complete -c roomctl -n '__roomctl_at \'sandbox seed\'' -l seed -x -d 'another number, another world'
complete -c roomctl -n '__roomctl_at \'sandbox seed\'' -l clock -x -d 'stop the sandbox\'s clock at this moment, to rehearse for it'
complete -c roomctl -n '__roomctl_at \'sandbox seed\'' -l input -r -F -d 'a world of your own, as JSON or YAML'
complete -c roomctl -n '__roomctl_at \'sandbox seed\'' -l skeleton -d 'print a world as --input takes it, to begin yours from'
complete -c roomctl -n '__roomctl_at \'sandbox faults add\'' -l from -r -F -d 'faults from YAML or JSON: a list, or seed and faults'
complete -c roomctl -n '__roomctl_at \'sandbox log\'' -l judge -d 'say what the client did wrong; exit 6 where it did'
complete -c roomctl -n '__roomctl_at \'sandbox log\'' -l junit -r -F -d 'with --judge: write the judgement as JUnit XML'
complete -c roomctl -n '__roomctl_at \'sandbox log\'' -l after -x -d 'only requests after this one'
complete -c roomctl -n '__roomctl_at \'sandbox log\'' -l clear -d 'empty the log instead'
complete -c roomctl -n '__roomctl_at \'rehearse\'' -l only -d 'only the faults of --fault, not the usual ones'
complete -c roomctl -n '__roomctl_at \'rehearse\'' -l stop-after -x -d 'stop a night that lasts longer'
complete -c roomctl -n '__roomctl_at \'rehearse\'' -l junit -r -F -d 'write what was found as JUnit XML'
complete -c roomctl -n '__roomctl_at \'api\'' -s f -l raw-field -x -d 'a parameter or body field, as text'
complete -c roomctl -n '__roomctl_at \'api\'' -s F -l field -x -d 'the same, typed: 5, true, false, null; @FILE is the text of a file, @- of stdin'
complete -c roomctl -n '__roomctl_at \'api\'' -l input -r -F -d 'the body as JSON or YAML'
complete -c roomctl -n '__roomctl_at \'api\'' -l paginate -d 'read all pages of a list'
complete -c roomctl -n '__roomctl_at \'api\'' -l openapi -d 'print the OpenAPI 3.1 document of the interface'
