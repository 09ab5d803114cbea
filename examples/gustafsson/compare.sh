#!/bin/sh
# Gustafsson's experiment: the same step response with the standard rule for the step and with his PI controller,
# at tolerance 1e-2. Usage: compare.sh [FOLDER for results]
here=$(cd "$(dirname "$0")" && pwd)
cutset=${CUTSET:-$here/../../cutset}
folder=${1:-.}
for control in standard pi; do
    "$cutset" simulate "$here/gustafsson.dym" --solver dopri --local-tolerance 1e-2 --absolute 1e-3 --max-step 1 --step-control $control \
        --steps "$folder/steps_$control.csv" -o "$folder/result_$control.csv" --every-step --quiet || exit 1
    awk -F, -v control=$control '
        NR > 1 && $4 == 0 { rejected++ }
        NR > 1 && $4 == 1 { accepted++; if ($1 > 5 && $1 < 29 && last) { c = log($2/last); change += c < 0 ? -c : c; n++ }
                            last = $2 }
        END { printf "%-9s %d steps accepted, %d rejected, %d evaluations; step changes by %.1f %% on average\n",
                     control ":", accepted, rejected, 6*(accepted + rejected), 100*change/n }' "$folder/steps_$control.csv"
    "$cutset" plot "$folder/result_$control.csv" u y -o "$folder/result_$control.svg" --title "$control: u, y" > /dev/null
    "$cutset" plot "$folder/steps_$control.csv" step -o "$folder/steps_$control.svg" --title "$control: step size" > /dev/null
    "$cutset" plot "$folder/steps_$control.csv" error -o "$folder/error_$control.svg" --title "$control: error" > /dev/null
done
