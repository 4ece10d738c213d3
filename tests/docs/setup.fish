function fish_title; end; set -g fish_autosuggestion_enabled 0; function fish_prompt; printf '$ '; end
function print_line; printf '\n<<%s>>\n' (commandline -b); commandline ''; commandline -f repaint; end
bind \co print_line; source {script}; {more} printf '\nready\n'
