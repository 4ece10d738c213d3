# PowerShell completion for roomctl, made from its command tree: `python -m roomctl.manual write`
# Load it in $PROFILE: . /path/to/roomctl.ps1
# At Tab no process is started: names and ids come from two small files in roomctl's cache folder.

# The commands below a command.
function global:Get-RoomctlCommands($key) {
    switch -CaseSensitive ($key) {
        '' { return 'demo', 'profile', 'doctor', 'help', 'roomset', 'social', 'rules', 'theme', 'invite', 'user', 'registration', 'playlist', 'recording', 'transcription', 'explain', 'journal', 'sandbox', 'rehearse', 'api', 'describe', 'completion' }
        'profile' { return 'add', 'list', 'show', 'use', 'remove', 'check' }
        'roomset' { return 'list', 'get', 'tree', 'create', 'update', 'edit', 'copy' }
        'social' { return 'list', 'get', 'create', 'copy', 'end', 'cta', 'watch' }
        'rules' { return 'save', 'get' }
        'theme' { return 'save' }
        'invite' { return 'send' }
        'user' { return 'get' }
        'registration' { return 'list', 'export', 'check', 'diff', 'stats' }
        'playlist' { return 'create' }
        'recording' { return 'list', 'wait', 'timeline' }
        'transcription' { return 'list', 'process', 'wait' }
        'journal' { return 'list', 'show', 'verify', 'repeat' }
        'sandbox' { return 'serve', 'seed', 'reset', 'snapshot', 'restore', 'faults', 'log', 'replay' }
        'sandbox faults' { return 'list', 'add', 'clear', 'words' }
    }
}

# The options of a command.
function global:Get-RoomctlOptions($key) {
    '--profile', '--sandbox', '--fault', '--timeout', '--retries', '--rate', '--concurrency', '--yes', '--no-input', '--output', '--json', '--to', '--force', '--fields', '--query', '--sort-by', '--no-header', '--error-format', '--quiet', '--verbose', '--debug', '--help'
    switch -Regex -CaseSensitive ($key) {
        '^()$' { return '--version' }
        '^(profile add)$' { return '--base-url', '--key-stdin', '--key-env', '--key-file', '--key-command', '--protected', '--read-only', '--copy-parameter', '--ca-file', '--use', '--replace' }
        '^(doctor)$' { return '--probe', '--event' }
        '^(roomset list)$' { return '--limit', '--page', '--page-size', '--sort' }
        '^(roomset create)$' { return '--name', '--description', '--entry-option', '--group-former-count', '--anyone-can-start', '--only-host-can-start', '--guests', '--no-guests', '--host-admitted', '--no-host-admitted', '--permission-type', '--starting-point', '--input', '--set', '--skeleton', '--allow-unknown', '--dry-run', '--curl', '--expect-profile' }
        '^(roomset update)$' { return '--show', '--name', '--description', '--entry-option', '--group-former-count', '--anyone-can-start', '--only-host-can-start', '--guests', '--no-guests', '--host-admitted', '--no-host-admitted', '--permission-type', '--starting-point', '--input', '--set', '--skeleton', '--allow-unknown', '--dry-run', '--curl', '--expect-profile' }
        '^(roomset edit|social copy)$' { return '--dry-run', '--curl', '--expect-profile' }
        '^(roomset copy)$' { return '--name', '--dry-run', '--curl', '--expect-profile' }
        '^(social list)$' { return '--room-set', '--open', '--closed' }
        '^(social create)$' { return '--room-set', '--name', '--description', '--starts', '--ends', '--permission-type', '--platform', '--max-participants', '--starting-width', '--starting-height', '--theme', '--configuration', '--playlist', '--artifact-set', '--recurring', '--once', '--anyone-can-start', '--only-host-can-start', '--guests', '--no-guests', '--host-admitted', '--no-host-admitted', '--free', '--not-free', '--connected', '--not-connected', '--input', '--set', '--skeleton', '--allow-unknown', '--dry-run', '--curl', '--expect-profile' }
        '^(social end)$' { return '--leave-open-until', '--from', '--room-set', '--max-present', '--only-if-empty', '--only-past-end', '--expect-rooms', '--results', '--resume', '--retry-unknown', '--skip-bad', '--keep-going', '--dry-run', '--curl', '--expect-profile' }
        '^(social cta)$' { return '--map', '--limit', '--page', '--page-size', '--sort' }
        '^(social watch)$' { return '--interval', '--times' }
        '^(rules save)$' { return '--rule', '--show', '--name', '--configuration', '--entry-option', '--entry-flow', '--group-spawn-size', '--group-former-count', '--starting-point-x', '--starting-point-y', '--input', '--set', '--skeleton', '--allow-unknown', '--dry-run', '--curl', '--expect-profile' }
        '^(theme save)$' { return '--image', '--image-far', '--image-mid', '--image-near', '--image-far-id', '--image-mid-id', '--image-near-id', '--preview', '--preview-to', '--name', '--theme-id', '--type', '--description', '--color-primary', '--color-secondary', '--color-background', '--color-gradient-background', '--color-button-text', '--color-button-bg', '--image-width', '--image-height', '--template-id', '--artifact-set', '--multi-size', '--single-size', '--minimap', '--no-minimap', '--input', '--set', '--skeleton', '--allow-unknown', '--dry-run', '--curl', '--expect-profile' }
        '^(invite send)$' { return '--user', '--email', '--from', '--batch', '--input', '--skeleton', '--allow-unknown', '--results', '--resume', '--retry-unknown', '--skip-bad', '--keep-going', '--dry-run', '--curl', '--expect-profile' }
        '^(user get)$' { return '--from', '--results', '--resume', '--retry-unknown', '--skip-bad', '--keep-going' }
        '^(registration list|recording list|transcription list)$' { return '--limit', '--page', '--page-size', '--sort', '--text' }
        '^(registration export)$' { return '--format', '--verify', '--columns', '--rename', '--tz', '--view', '--guard', '--keep-ids', '--attendance', '--absent', '--stayed', '--since', '--limit', '--page', '--page-size', '--sort', '--text' }
        '^(registration stats)$' { return '--tz', '--text' }
        '^(playlist create)$' { return '--name', '--type', '--qty', '--duration', '--available', '--not-available', '--input', '--set', '--skeleton', '--allow-unknown', '--dry-run', '--curl', '--expect-profile' }
        '^(recording wait|transcription wait)$' { return '--max-wait', '--interval' }
        '^(transcription process)$' { return '--room-set', '--id', '--status', '--name', '--storage-bucket', '--started', '--processing-started', '--processing-ended', '--input', '--set', '--skeleton', '--allow-unknown', '--dry-run', '--curl', '--expect-profile' }
        '^(journal list)$' { return '--state', '--operation', '--open', '--runs' }
        '^(journal repeat)$' { return '--input', '--dry-run', '--curl', '--expect-profile' }
        '^(sandbox serve)$' { return '--port', '--key', '--strict', '--lenient', '--hostile' }
        '^(sandbox seed)$' { return '--registrations', '--seed', '--clock', '--input', '--skeleton', '--strict', '--lenient', '--hostile' }
        '^(sandbox reset)$' { return '--strict', '--lenient', '--hostile' }
        '^(sandbox faults add)$' { return '--from' }
        '^(sandbox log)$' { return '--judge', '--junit', '--after', '--clear' }
        '^(rehearse)$' { return '--only', '--stop-after', '--junit' }
        '^(api)$' { return '--field', '--raw-field', '--input', '--paginate', '--openapi', '--limit', '--page', '--page-size', '--sort', '--dry-run', '--curl', '--expect-profile' }
    }
}

# What an option takes ("COMMAND --option"): a kind, then its words.
function global:Get-RoomctlOption($key) {
    switch -Regex -CaseSensitive ($key) {
        '^(playlist create --type)$' { return 'word', 'FREE_PLAYLIST', 'PAID_PLAYLIST' }
        '^(.* --profile|.* --expect-profile)$' { return 'profile' }
        '^(.* --fault|.* --timeout|.* --retries|.* --rate|.* --concurrency|.* --fields|.* --query|.* --sort-by|.* --base-url|.* --key-env|.* --key-command|.* --copy-parameter|.* --limit|.* --page|.* --page-size|.* --sort|.* --name|.* --description|.* --group-former-count|.* --set|.* --starts|.* --ends|.* --max-participants|.* --starting-width|.* --starting-height|.* --theme|.* --configuration|.* --playlist|.* --artifact-set|.* --leave-open-until|.* --max-present|.* --expect-rooms|.* --interval|.* --times|.* --rule|.* --group-spawn-size|.* --starting-point-x|.* --starting-point-y|.* --image-far-id|.* --image-mid-id|.* --image-near-id|.* --theme-id|.* --color-primary|.* --color-secondary|.* --color-background|.* --color-gradient-background|.* --color-button-text|.* --color-button-bg|.* --image-width|.* --image-height|.* --template-id|.* --email|.* --batch|.* --text|.* --columns|.* --rename|.* --tz|.* --view|.* --stayed|.* --qty|.* --duration|.* --max-wait|.* --storage-bucket|.* --started|.* --processing-started|.* --processing-ended|.* --port|.* --key|.* --registrations|.* --seed|.* --clock|.* --after|.* --stop-after|.* -f|.* --field|.* -F|.* --raw-field)$' { return 'text' }
        '^(.* -o|.* --output)$' { return 'word', 'table', 'json', 'ndjson', 'csv', 'tsv', 'yaml', 'ids', 'md' }
        '^(.* --to|.* --key-file|.* --ca-file|.* --input|.* --from|.* --results|.* --image|.* --image-far|.* --image-mid|.* --image-near|.* --preview-to|.* --since|.* --junit)$' { return 'file' }
        '^(.* --error-format)$' { return 'word', 'text', 'json', 'github' }
        '^(.* --event)$' { return 'id', 'event' }
        '^(.* --entry-option)$' { return 'word', 'DEFAULT', 'ACCOUNT', 'CUSTOM_RULES', 'STARTING_POINT' }
        '^(.* --permission-type)$' { return 'word', 'PUBLIC', 'COMPANY_AND_CONNECTIONS', 'CONNECTIONS', 'COMPANY' }
        '^(.* --starting-point)$' { return 'id', 'room' }
        '^(.* --room-set)$' { return 'name', 'roomset' }
        '^(.* --platform)$' { return 'word', 'PLATFORM_A', 'PLATFORM_B' }
        '^(.* --entry-flow)$' { return 'word', 'SPIRAL', 'GRID' }
        '^(.* --type)$' { return 'word', 'LAYERED', 'SINGLE_IMAGE', 'SINGLE_COLOR' }
        '^(.* --user)$' { return 'id', 'user' }
        '^(.* --format)$' { return 'word', 'csv', 'excel-csv', 'tsv', 'ndjson', 'json', 'xlsx', 'sqlite', 'parquet' }
        '^(.* --id)$' { return 'id', 'transcription' }
        '^(.* --status)$' { return 'word', 'PROCESSING', 'COMPLETE', 'FAILED' }
        '^(.* --state)$' { return 'word', 'planned', 'sent', 'confirmed', 'partial', 'refused', 'unknown', 'not_sent' }
        '^(.* --operation)$' { return 'word', 'roomset.create', 'roomset.update', 'roomset.list', 'roomset.copy', 'social.create', 'social.copy', 'social.end', 'invite.send', 'social.cta', 'theme.save', 'transcription.process', 'transcription.list', 'recording.list', 'rules.save', 'rules.get', 'playlist.create', 'user.get', 'registration.list' }
    }
}

# What a positional takes ("COMMAND POSITION"): a kind, then its words.
function global:Get-RoomctlArgument($key) {
    switch -Regex -CaseSensitive ($key) {
        '^(profile add 0|profile show 0|profile use 0|profile remove 0|profile check 0)$' { return 'profile' }
        '^(help 0)$' { return 'word', 'options', 'exit-codes', 'environment', 'output', 'files', 'errors', 'gaps' }
        '^(roomset get 0|roomset tree 0|roomset update 0|roomset edit 0|roomset copy 0|social watch 0|rules save 0|rules get 0)$' { return 'name', 'roomset' }
        '^(social get 0|social copy 0|social end .*|social cta 0|invite send 0)$' { return 'name', 'room' }
        '^(user get .*)$' { return 'id', 'user' }
        '^(registration list 0|registration export 0|registration stats 0)$' { return 'id', 'event' }
        '^(registration check 0|registration diff 0|registration diff 1|sandbox replay 0|rehearse .*)$' { return 'file' }
        '^(recording wait 0|recording timeline 0)$' { return 'id', 'recording' }
        '^(transcription wait 0)$' { return 'id', 'transcription' }
        '^(explain .*)$' { return 'word', 'demo', 'profile', 'add', 'list', 'show', 'use', 'remove', 'check', 'doctor', 'help', 'roomset', 'get', 'tree', 'create', 'update', 'edit', 'copy', 'social', 'end', 'cta', 'watch', 'rules', 'save', 'theme', 'invite', 'send', 'user', 'registration', 'export', 'diff', 'stats', 'playlist', 'recording', 'wait', 'timeline', 'transcription', 'process', 'explain', 'journal', 'verify', 'repeat', 'sandbox', 'serve', 'seed', 'reset', 'snapshot', 'restore', 'faults', 'clear', 'words', 'log', 'replay', 'rehearse', 'api', 'describe', 'completion' }
        '^(api .*)$' { return 'word', 'roomset.create', 'roomset.update', 'roomset.list', 'roomset.copy', 'social.create', 'social.copy', 'social.end', 'invite.send', 'social.cta', 'theme.save', 'transcription.process', 'transcription.list', 'recording.list', 'rules.save', 'rules.get', 'playlist.create', 'user.get', 'registration.list' }
        '^(completion 0)$' { return 'word', 'bash', 'zsh', 'fish', 'powershell' }
    }
}

# The folder in which roomctl keeps what completion may offer.
function global:Get-RoomctlFolder {
    $folder = if ($env:ROOMCTL_CACHE) { $env:ROOMCTL_CACHE }
    elseif ("$env:XDG_CACHE_HOME".StartsWith('/')) { "$env:XDG_CACHE_HOME/roomctl" }
    elseif ($env:OS -eq 'Windows_NT') { "$env:LOCALAPPDATA\roomctl\Cache" }
    elseif ($IsMacOS) { "$HOME/Library/Caches/roomctl" }
    else { "$HOME/.cache/roomctl" }
    return Join-Path $folder 'completion'
}

# The lines of one of the files there.
function global:Get-RoomctlLines($name) {
    $path = Join-Path (Get-RoomctlFolder) $name
    if ([System.IO.File]::Exists($path)) { [System.IO.File]::ReadAllLines($path) }
}

function global:New-RoomctlChoice($text, $about) {
    [pscustomobject]@{ Text = $text; About = if ($about) { $about } else { $text } }
}

# What was seen lately of a kind of thing: by name where one may stand, an id where it is begun or has no name.
function global:Get-RoomctlSeen($how, $kind, $begun) {
    foreach ($line in @(Get-RoomctlLines 'ids')) {
        $found, $id, $name = "$line".Split([char]9)
        if ($found -cne $kind) { continue }
        if ($how -eq 'name' -and $name) { New-RoomctlChoice $name $id }
        if ($how -eq 'id' -or -not $name -or $begun) { New-RoomctlChoice $id $name }
    }
}

# The values that may stand there, each with what is said about it.
function global:Get-RoomctlValues($takes, $begun) {
    if (-not $takes) { return }
    $kind, $words = $takes
    switch ($kind) {
        'word' { foreach ($word in $words) { New-RoomctlChoice $word $word } }
        'profile' { foreach ($name in @(Get-RoomctlLines 'profiles')) { New-RoomctlChoice $name 'profile' } }
        { $_ -in 'id', 'name' } { foreach ($word in $words) { Get-RoomctlSeen $kind $word $begun } }
    }
}

# Whether the value of an option is the next word.
function global:Test-RoomctlUnfinished($command, $word) {
    if ($word.StartsWith('--')) {
        return (-not $word.Contains('=')) -and [bool](Get-RoomctlOption "$command $word")
    }
    $letters = $word.Substring(1)
    for ($index = 0; $index -lt $letters.Length; $index++) {
        if (Get-RoomctlOption "$command -$($letters[$index])") { return $index -eq $letters.Length - 1 }
    }
    return $false
}

# The text of a word on the line, without its quotes.
function global:Get-RoomctlText($element) {
    if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst] -or
        $element -is [System.Management.Automation.Language.ExpandableStringExpressionAst]) {
        return $element.Value
    }
    return $element.Extent.Text
}

Register-ArgumentCompleter -Native -CommandName roomctl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { Get-RoomctlText $_ })
    $begun = "$wordToComplete".TrimStart([char]39, [char]34)
    $command = ''
    $position = 0
    $option = $null
    $only = $false
    foreach ($word in $before) {
        $below = @(Get-RoomctlCommands $command)
        if ($option) { $option = $null }
        elseif (-not $only -and $word -ceq '--') { $only = $true }
        elseif (-not $only -and $word.Length -gt 1 -and $word.StartsWith('-')) {
            if (Test-RoomctlUnfinished $command $word) {
                $option = if ($word.StartsWith('--')) { $word } else { '-' + $word[-1] }
            }
        }
        elseif ($below.Count -gt 0) {
            if ($below -cnotcontains $word) { return }
            $command = "$command $word".Trim()
        }
        else { $position++ }
    }

    $start = ''
    if ($option) { $values = Get-RoomctlValues @(Get-RoomctlOption "$command $option") $begun }
    elseif (-not $only -and $begun -cmatch '^(--[^=]+)=(.*)$') {
        $start = $Matches[1] + '='
        $values = Get-RoomctlValues @(Get-RoomctlOption "$command $($Matches[1])") $Matches[2]
    }
    elseif (-not $only -and $begun.StartsWith('-')) {
        $values = foreach ($name in @(Get-RoomctlOptions $command)) { New-RoomctlChoice $name $name }
    }
    else {
        $below = @(Get-RoomctlCommands $command)
        if ($below.Count -gt 0) { $values = foreach ($name in $below) { New-RoomctlChoice $name $name } }
        else { $values = Get-RoomctlValues @(Get-RoomctlArgument "$command $position") $begun }
    }

    foreach ($value in $values) {
        $text = $start + $value.Text
        if (-not $text.StartsWith($begun, [System.StringComparison]::OrdinalIgnoreCase)) { continue }
        $typed = if ($text -cmatch '^[A-Za-z0-9=_./:+-]+$') { $text } else { "'" + $text.Replace("'", "''") + "'" }
        [System.Management.Automation.CompletionResult]::new($typed, $value.Text, 'ParameterValue', $value.About)
    }
}
