"""The command tree → completion for PowerShell 5.1 and later."""

import re

from roomctl.manual import tables
from roomctl.manual.tree import Node

HEAD = r"""# PowerShell completion for roomctl, made from its command tree: `python -m roomctl.manual write`
# Load it in $PROFILE: . /path/to/roomctl.ps1
# At Tab no process is started: names and ids come from two small files in roomctl's cache folder.
"""

BODY = r"""
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
"""


def script(tree: Node) -> str:
    """Make the script."""
    commands = [(quoted(words), [child.path[-1] for child in below]) for words, below in tables.commands(tree)]
    options = [(_pattern(list(keys)), names) for keys, names in tables.own(tree)]
    functions = [
        _function("Get-RoomctlCommands", "The commands below a command.", "", commands),
        _function("Get-RoomctlOptions", "The options of a command.", "-Regex ", options, tables.shared(tree)),
        _table(
            "Get-RoomctlOption",
            'What an option takes ("COMMAND --option"): a kind, then its words.',
            tables.option_values(tree),
        ),
        _table(
            "Get-RoomctlArgument",
            'What a positional takes ("COMMAND POSITION"): a kind, then its words.',
            tables.argument_values(tree),
        ),
    ]
    return HEAD + "".join(functions) + BODY


def quoted(text: str) -> str:
    """Quote a word for PowerShell."""
    return "'" + text.replace("'", "''") + "'"


def _table(name: str, about: str, rows: list[tables.Row]) -> str:
    found = [(_pattern(list(keys)), [value.kind, *value.words] if value.kind != "flag" else []) for keys, value in rows]
    return _function(name, about, "-Regex ", found)


def _pattern(keys: list[str]) -> str:
    """Make a regular expression of keys in which `*` stands for anything."""
    return quoted(
        "^("
        + "|".join(".*".join(map(re.escape, key.split("*"))).replace("\\-", "-").replace("\\ ", " ") for key in keys)
        + ")$"
    )


def _function(
    name: str, about: str, mode: str, rows: list[tuple[str, list[str]]], always: list[str] | None = None
) -> str:
    lines = [f"\n# {about}", f"function global:{name}($key) {{"]
    if always:
        lines.append(f"    {', '.join(map(quoted, always))}")
    lines.append(f"    switch {mode}-CaseSensitive ($key) {{")
    for pattern, words in rows:
        lines.append(f"        {pattern} {{ return {', '.join(map(quoted, words))} }}".replace("return  }", "return }"))
    return "\n".join([*lines, "    }", "}", ""])
