# Completes applylint in bash. To have it: source <(applylint completion bash)
_applylint() {
    local line=${COMP_LINE:0:COMP_POINT} words word value colons answer candidate
    local directive=4 found=()
    COMPREPLY=()
    # The words of COMP_WORDS are split at = and : as well.
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    word=${words[-1]}
    answer=$(applylint __complete "${words[@]:1}" 2>/dev/null) || return
    while IFS= read -r candidate; do
        if [[ $candidate =~ ^:([0-9]+)$ ]]; then
            directive=${BASH_REMATCH[1]}
        elif [[ -n $candidate ]]; then
            found+=("${candidate%%$'\t'*}")
        fi
    done <<<"$answer"
    # After a = readline completes only what follows, and so it does after a : of the word.
    value=$word
    [[ $word == -*=* ]] && value=${word#*=}
    colons=${value%"${value##*:}"}
    if ((directive & 8)); then
        while IFS= read -r candidate; do
            if [[ -d $candidate || " ${found[*]} " == *" ${candidate##*.} "* ]]; then
                COMPREPLY+=("$candidate")
            fi
        done < <(compgen -f -- "$value")
        compopt -o filenames 2>/dev/null
    elif ((directive & 16)); then
        mapfile -t COMPREPLY < <(compgen -d -- "$value")
        compopt -o filenames 2>/dev/null
    elif ((!(directive & 4) && ${#found[@]} == 0)); then
        mapfile -t COMPREPLY < <(compgen -f -- "$value")
        compopt -o filenames 2>/dev/null
    else
        COMPREPLY=("${found[@]#"$colons"}")
    fi
    ((directive & 2)) && compopt -o nospace 2>/dev/null
    return 0
}
complete -F _applylint applylint
