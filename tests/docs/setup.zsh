PS1='$ '; PROMPT_EOL_MARK=; unset zle_bracketed_paste; LISTMAX=10000; autoload -Uz compinit; {load}
print-line() {{ print -r -- $'\n'"<<$BUFFER>>"; BUFFER=; zle -I }}; zle -N print-line; bindkey '^O' print-line
{more} print $'\n'ready
