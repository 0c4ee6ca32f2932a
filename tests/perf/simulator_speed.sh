#!/bin/sh
# SPDX-License-Identifier: MIT
# simulator_speed.sh RUNNER: how many accesses a second the simulator takes, on one core with all checks and counters.
# RUNNER is the interleaved solution's: a load and an atomic for each byte of 2^20, by 64 blocks of 256 threads. The best
# of several runs, less the best of as many over one byte: the start of the program.
set -eu
runner=$1
length=1048576

best_of_runs() {  # LENGTH: microseconds
  best=
  for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    begin=$(date +%s%N)
    "$runner" --input bytes --binning bytes --grid 64 --block 256 --length "$1" >/dev/null
    end=$(date +%s%N)
    took=$(((end - begin) / 1000))
    if [ -z "$best" ] || [ $took -lt "$best" ]; then best=$took; fi
  done
  echo "$best"
}

start=$(best_of_runs 1)
whole=$(best_of_runs $length)
echo "$((2 * length)) accesses in $((whole - start)) us: $((2 * length / (whole - start))) million a second; the start takes $start us"
