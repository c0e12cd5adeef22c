#compdef applylint
# Completes applylint in zsh. To have it: source <(applylint completion zsh)
_applylint() {
    local -a lines offered
    local line directive=4 word=${words[CURRENT]}
    lines=("${(@f)$(applylint __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    for line in $lines; do
        if [[ $line == :<-> ]]; then
            directive=${line#:}
        elif [[ -n $line ]]; then
            # _describe takes the first colon for the end of the candidate.
            offered+=("${${line%%$'\t'*}//:/\\:}${${line#*$'\t'}:+:${line#*$'\t'}}")
        fi
    done
    # What stands in front of a = stays as it is.
    [[ $word == -*=* ]] && compset -P '*='
    if ((directive & 8)); then
        _files -g "*.(${(j:|:)offered%%:*})(-.)"
    elif ((directive & 16)); then
        _files -/
    elif ((!(directive & 4) && $#offered == 0)); then
        _files
    elif ((directive & 2)); then
        _describe -V candidate offered -S ''
    else
        _describe -V candidate offered
    fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _applylint "$@"
else
    compdef _applylint applylint
fi
