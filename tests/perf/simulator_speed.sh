#!/bin/sh
# SPDX-License-Identifier: MIT
# simulator_speed.sh RUNNER: how many accesses a second the simulator takes, on one core with all checks and counters.
# RUNNER is the interleaved solution's: a load and an atomic for each byte. The whole process is timed, with its start
# and the making of the input; the best of several runs.
set -eu
runner=$1
length=8388608
best=
for i in 1 2 3 4 5; do
  begin=$(date +%s%N)
  "$runner" --input bytes --binning bytes --grid 64 --length $length >/dev/null
  end=$(date +%s%N)
  took=$(((end - begin) / 1000000))
  if [ -z "$best" ] || [ $took -lt "$best" ]; then best=$took; fi
done
echo "$((2 * length)) accesses in $best ms: $((2 * length / best / 1000)) million a second"
