# fish completion for roomctl, made from its command tree
# Put it into a folder of $fish_complete_path, such as ~/.config/fish/completions.
# At Tab no process is started: names and ids come from two small files in roomctl's cache folder.

# Whether the words before the cursor that are neither options nor their values, each with a newline after it, match.
function __roomctl_at -a pattern
    set -l words ''
    set -l before ''
    for token in (commandline -opc)[2..]
        if string match -qr -- $__roomctl_takes "$before"
            set before ''
        else if test "$before" != --; and string match -qr -- '^-.' "$token"
            set before $token
        else
            set words $words$token\n
        end
    end
    set words (string replace -r '^(help|explain)\n(?=.)' '' -- $words | string collect --no-trim-newlines)
    string match -qr -- $pattern $words
end

# Print the folder in which roomctl keeps what may be offered.
function __roomctl_folder
    set -l folder $HOME/.cache/roomctl
    test -d $HOME/Library/Caches; and set folder $HOME/Library/Caches/roomctl
    string match -q -- '/*' "$XDG_CACHE_HOME"; and set folder $XDG_CACHE_HOME/roomctl
    test -n "$ROOMCTL_CACHE"; and set folder $ROOMCTL_CACHE
    echo $folder/completion
end

# Print what roomctl kept of some kinds of things: by name where one may stand, an id where it is begun or has no name;
# not what was given before.
function __roomctl_kept
    set -l given (commandline -opc)
    for line in (__roomctl_known $argv)
        set -l parts (string split \t -- $line)
        contains -- $parts[1] $given; or contains -- "$parts[2]" $given; or echo $line
    end
end

function __roomctl_known -a how
    set -l kind '(?:'(string join '|' $argv[2..])')'
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

# Print words, each behind those that stand before the last comma of the unfinished word.
function __roomctl_list
    set -l before (commandline -ct | string replace -r '^--[^=]*=' '' | string replace -r '[^,]*$' '')
    for word in $argv
        contains -- $word (string split , -- $before); or echo $before$word
    end
end

# Print the fields to sort by, or behind a comma the directions.
function __roomctl_sort
    string match -q '*,*' -- (commandline -ct); and set argv asc desc
    __roomctl_list $argv
end

function __roomctl_profiles
    set -l file (__roomctl_folder)/profiles
    test -r $file; and string match -r -- '.+' <$file
end

complete -c roomctl -f
#TABLE
