PS1='$ '; bind 'set completion-query-items 0' 'set page-completions off' 'set bell-style none'
bind 'set show-all-if-ambiguous on'; bind 'set enable-bracketed-paste off'; source {script}
bind -x '"\C-o": printf "\n<<%s>>\n" "$READLINE_LINE"; READLINE_LINE='; {more} printf '\n%s\n' ready
