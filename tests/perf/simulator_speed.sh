#!/bin/sh
# SPDX-License-Identifier: MIT
# simulator_speed.sh FOLDER: how long the simulator takes for each solution, with all checks and counters. FOLDER holds the
# runners, as <build folder>/solutions does; those of variants (histogram-cas.sim) are left out. User and system time, the best of five runs, less that of a run over one byte.
# With WORKBOOK_BEFORE=FOLDER, another folder of runners, each runs in turn with the one of the same name there.
set -eu
folder=$1
before=${WORKBOOK_BEFORE:-}

# User and system time of one run, in milliseconds.
run() {  # RUNNER LENGTH
  { LC_ALL=C bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null' run "$1" --input bytes --binning bytes --length "$2"; } 2>&1 |
    awk '{ print int(($1 + $2) * 1000) }'
}

best() {  # LENGTH RUNNER...: the best of five, a number for each runner
  length=$1
  shift
  for i in 1 2 3 4 5; do
    for runner; do echo "$runner $(run "$runner" "$length")"; done
  done | awk '!($1 in best) { order[++n] = $1; best[$1] = $2 } $2 < best[$1] { best[$1] = $2 }
              END { for (i = 1; i <= n; ++i) printf "%d ", best[order[i]] }'
}

for runner in $(find "$folder" -name '*.sim' ! -name '*-*' | sort); do
  name=${runner#"$folder"/}
  other=$before/$name
  [ -n "$before" ] && [ -x "$other" ] || other=
  start=$(best 1 "$runner" ${other:+"$other"})
  for length in 1048576 4194304; do
    echo "$name $length $(best "$length" "$runner" ${other:+"$other"}) $start" | awk '
      NF == 4 { printf "%-36s %9d bytes %7d ms\n", $1, $2, $3 - $4 }
      NF == 6 { now = $3 - $5; was = $4 - $6
                printf "%-36s %9d bytes %7d ms, before %7d ms: %.2f times as fast\n", $1, $2, now, was, was / now }'
  done
done
