#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# speed.sh RUNNER: accesses a second of processor time, of Oclgrind with its race check and of the simulator with all its
# checks, by turns on this machine: a byte histogram by 64 blocks of 256 threads, a load and an atomic for each byte.
# RUNNER is the interleaved solution's (BUILD/solutions/05_coarsening/interleaved.sim). The best of several runs.
#
# Of Oclgrind the start and the reading of the input are taken off; of the simulator, which does more in that time, they
# are not.
set -eu -o pipefail
export LC_ALL=C TIMEFORMAT=%U

here=$(cd "$(dirname "$0")" && pwd)
runner=${1:?usage: speed.sh RUNNER}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
length=1048576 simulated_length=8388608

for kernel in histogram nothing; do
  printf '%s\n' "$here/histogram.cl" $kernel "16384 1 1" "256 1 1" "<size=$length uchar>"
  awk -v length_=$length 'BEGIN { for (i = 0; i < length_; ++i) { x = (x * 1103515245 + 12345) % 2147483648; print int(x / 65536) % 256 } }'
  printf '%s\n' "<size=4 uint>" $length "<size=1024 fill=0 uint>"
done > "$scratch/both"
awk -v folder="$scratch" '/\.cl$/ { ++n } { print > (folder "/" n ".sim") }' "$scratch/both"

# seconds COMMAND...: processor time in the program itself.
seconds() { { time "$@" > "$scratch/answer" 2>&1; } 2>&1; }
smaller() { awk -v a="$1" -v b="$2" 'BEGIN { print b == "" || a < b ? a : b }'; }

count= empty= simulated=
for run in 1 2 3 4 5; do
  count=$(smaller "$(seconds oclgrind-kernel --num-threads 1 --data-races "$scratch/1.sim")" "$count")
  empty=$(smaller "$(seconds oclgrind-kernel --num-threads 1 --data-races "$scratch/2.sim")" "$empty")
  simulated=$(smaller "$(seconds "$runner" --input bytes --binning bytes --grid 64 --length $simulated_length)" "$simulated")
done
awk -v count="$count" -v empty="$empty" -v simulated="$simulated" -v n=$length -v m=$simulated_length 'BEGIN {
  printf "Oclgrind: %d accesses in %.2f s (%.2f s, %.2f s of them without a kernel): %.2f million a second\n", 2 * n, count - empty, count, empty, 2 * n / (count - empty) / 1e6
  printf "simulator: %d accesses in %.2f s: %.1f million a second\n", 2 * m, simulated, 2 * m / simulated / 1e6 }'
