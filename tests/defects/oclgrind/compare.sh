#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# compare.sh BUILD_DIR OUTPUT: what Oclgrind says of each kernel with a defect and of its twin, in OpenCL C
# (translate.awk) and launched as its test does (BUILD_DIR/tests/defects/defect-launches). OUTPUT gets a JSON record a
# line: the tool first, then one for each kernel, version and set of checks, or one that says that OpenCL C has no words
# for the kernel. For maintainers; takes a few minutes. Where LOGS is set, a folder, each run's whole answer is kept there.
#
# Three runs for each: Oclgrind's checks of memory and barriers are always on, those of races and of uninitialised
# values come on demand; together they would answer a read that came too early with the one or the other.
set -u -o pipefail
export LC_ALL=C

if [ $# -ne 2 ]; then
  echo "usage: compare.sh BUILD_DIR OUTPUT" >&2
  exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
export here launches=$(cd "$1" && pwd)/tests/defects/defect-launches patience=${PATIENCE:-20}
output=$2
[ -x "$launches" ] || { echo "compare.sh: $launches is missing: ninja tests/defects/defect-launches" >&2; exit 3; }
command -v oclgrind-kernel > /dev/null || { echo "compare.sh: no oclgrind-kernel on PATH: sudo apt-get install oclgrind" >&2; exit 3; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export scratch logs=${LOGS:-$scratch/logs}
mkdir -p "$logs" "$scratch/records"

# A log, as members of a record: the first message without its address, and the line of source.
cat > "$scratch/first.awk" <<'END'
/^[^ \t]/ && first == "" { first = $0; sub(/ (at|from|to) [a-z]+ memory address.*/, "", first); gsub(/["\\]/, "", first); next }
first != "" && line == "" && match($0, /^[ \t]*At line [0-9]+/) { line = substr($0, RSTART, RLENGTH); sub(/.* /, "", line) }
END {
  printf "\"reported\": %s", first != "" ? "true" : "false"
  if (first != "") printf ", \"first\": \"%s\"", first
  if (line != "") printf ", \"line\": %s", line
}
END

# one KERNEL VERSION: its records.
one() {
  local run=$1-$2 defect=0 checks ended records=$scratch/records/$1-$2
  [ "$2" = defect ] && defect=1
  cd "$scratch" || return
  printf '%s\n' "$run.cl" "$1" > "$run.sim"
  "$launches" "$1" "$2" >> "$run.sim" 2> /dev/null  # what its test then says of results is not asked for
  if ! awk -v kernel="$1" -v defect=$defect -f "$here/translate.awk" "$here"/../*_kernels.cpp > "$run.cl" ||
    "$launches" "$1" defect 2> /dev/null | grep -q '^# .* no meaning'; then
    printf '{"kernel": "%s", "version": "%s", "inexpressible": true}\n' "$1" "$2" > "$records"
    return
  fi
  for checks in default data-races uninitialized; do
    ended=yes
    timeout -k 2 "$patience" oclgrind-kernel $([ $checks = default ] || echo "--$checks") "$run.sim" > "$logs/$run-$checks.txt" 2>&1
    case $? in
      0) ;;
      124 | 137) ended=hung ;;
      *) echo "compare.sh: oclgrind-kernel failed: $(grep -m 1 error: "$logs/$run-$checks.txt")" >&2; ended=failed ;;
    esac
    printf '{"kernel": "%s", "version": "%s", "tool": "%s", %s, "ended": "%s"}\n' \
      "$1" "$2" "$checks" "$(awk -f "$scratch/first.awk" "$logs/$run-$checks.txt")" "$ended" >> "$records"
  done
}
export -f one

SECONDS=0
printf '{"machine": {"oclgrind": "%s", "options": "none, --data-races, --uninitialized", "date": "%s"}}\n' \
  "$(oclgrind-kernel --version | sed -n 's/^Oclgrind //p')" "$(date -u +%Y-%m-%d)" > "$output"
for kernel in $(sed -n 's/^__global__ void \([a-z_]*\)(.*/\1/p' "$here"/../*_kernels.cpp); do
  echo "$kernel defect"
  echo "$kernel twin"
done > "$scratch/runs"
xargs -P "${JOBS:-2}" -L 1 bash -c 'one "$0" "$1"' < "$scratch/runs"
while read -r kernel version; do cat "$scratch/records/$kernel-$version"; done < "$scratch/runs" >> "$output"
echo "compare.sh: $(wc -l < "$scratch/runs") versions of kernels in $SECONDS s, in $output" >&2
! grep -q '"failed"' "$output"
