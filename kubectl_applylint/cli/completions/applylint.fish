# Completes applylint in fish. To have it: applylint completion fish | source
function __applylint_candidates
    set -l before (commandline --tokens-expanded --cut-at-cursor 2>/dev/null; or commandline -opc)
    set -l word (commandline --current-token --cut-at-cursor)
    set -l answer (applylint __complete $before[2..-1] "$word" 2>/dev/null)
    set -l directive (string replace : '' -- $answer[-1])
    set -l offered $answer[1..-2]
    # fish keeps what stands in front of a = only if the candidates have it too.
    set -l flag (string match --regex -- '^--[^=]+=' "$word")
    set -l value (string replace --regex -- '^--[^=]+=' '' "$word")
    if test "$directive" = 8
        for ending in $offered
            __fish_complete_suffix "$value" ".$ending"
        end | sort -u | string replace --regex '^' -- "$flag"
    else if test "$directive" = 16
        __fish_complete_directories "$value" | string replace --regex '^' -- "$flag"
    else if test "$directive" = 0 -a (count $offered) -eq 0
        __fish_complete_path "$value" | string replace --regex '^' -- "$flag"
    else
        string replace --regex '^' -- "$flag" $offered
    end
end
complete --command applylint --no-files --arguments '(__applylint_candidates)'
