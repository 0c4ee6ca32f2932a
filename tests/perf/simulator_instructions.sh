#!/bin/sh
# SPDX-License-Identifier: MIT
# simulator_instructions.sh FOLDER [BYTES]: how many instructions the simulator executes for each byte of the input (128 KiB), by
# part, for each solution, with all checks and counters. FOLDER holds the runners, as <build folder>/solutions does; those of
# variants (histogram-cas.sim) are left out. Unlike times these figures are the same in each run, whatever else the machine does;
# they do not tell what a miss in a cache costs. What the kernel's own code records (assembly/inlined_hooks.hpp) is part of the kernel.
# Needs valgrind.
set -eu
folder=$1 bytes=${2:-131072}
command -v callgrind_annotate >/dev/null || { echo 'needs valgrind'; exit 77; }
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

instructions() {  # RUNNER LENGTH: number and function, a line each
  valgrind --tool=callgrind --callgrind-out-file="$place/profile" "$1" --input bytes --binning bytes --length "$2" >/dev/null 2>&1
  callgrind_annotate --threshold=100 --auto=no --show-percs=no "$place/profile" |
    awk '$1 ~ /^[0-9,]+$/ && !/PROGRAM TOTALS/ { gsub(",", "", $1); sub(/ \[[^[]*\]$/, ""); print }'
}

echo "$folder: instructions per byte of input"
printf '%-34s %6s %7s %6s %6s %8s %6s %6s %9s %6s\n' '' all kernel turns hooks merging races unset counters other
for runner in $(find "$folder" -name '*.sim' ! -name '*-*' | sort); do
  instructions "$runner" "$bytes" >"$place/all"
  instructions "$runner" 1 >"$place/start"
  awk -v name="${runner#"$folder"/}" -v bytes="$bytes" '
    function part(text) {
      if (text ~ /RaceChecker|Synchronisation/) return "races"
      if (text ~ /InitialisationChecker/) return "unset"
      if (text ~ /Counter|IssuedAccesses|KeptLoads|wavefronts|sectors|number_of|popcount/) return "counters"
      if (text ~ /_kernel|run_thread<|\.cu:/) return "kernel"
      if (text ~ /Machine::|Fiber|fiber_body|change_stack|block_barrier|warp_operation/) return "turns"
      if (text ~ /Recorder::|Observers::/) return "merging"
      if (text ~ /__tsan|__sanitizer|perform_atomic|_index|_extent|record|basic_block|append_event|simulator_|:0x/) return "hooks"
      return "other"
    }
    { number = NR == FNR ? -$1 : $1; all += number; parts[part($0)] += number }
    END {
      printf "%-34s %6d %7d %6d %6d %8d %6d %6d %9d %6d\n", name, all / bytes, parts["kernel"] / bytes, parts["turns"] / bytes,
        parts["hooks"] / bytes, parts["merging"] / bytes, parts["races"] / bytes, parts["unset"] / bytes,
        parts["counters"] / bytes, parts["other"] / bytes
    }' "$place/start" "$place/all"
done
