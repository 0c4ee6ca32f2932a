#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# compare.sh BUILD_DIR OUTPUT: what compute-sanitizer says of each kernel with a defect and of its twin, on this
# machine's GPU. OUTPUT gets a JSON record a line: the machine first, then one for each kernel, version and tool.
# For maintainers; takes a few minutes. Where LOGS is set, a folder, each run's whole answer is kept there.
#
# Some kernels never end: a run is stopped after `patience` seconds, and "hung" stands for how it ended.
set -u -o pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
if [ $# -ne 2 ]; then
  echo "usage: compare.sh BUILD_DIR OUTPUT" >&2
  exit 2
fi
output=$2
export program=$1/tests/defects/defect-kernels.gpu patience=${PATIENCE:-20}
[ -x "$program" ] || { echo "compare.sh: $program is missing: build it with a CUDA compiler" >&2; exit 3; }
export sanitizer=${COMPUTE_SANITIZER:-$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)}
[ -x "$sanitizer" ] || { echo "compare.sh: no compute-sanitizer on PATH or in /usr/local/cuda/bin" >&2; exit 3; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export logs=${LOGS:-$scratch/logs}
mkdir -p "$logs" "$scratch/records"
export scratch

# A log, as members of a record. The first message is the tool's own if there is one: that CUDA then answers with an
# error follows from it, and without it is no finding of the tool's.
cat > "$scratch/first.awk" <<'END'
function plain(text) { gsub(/["\\]/, "", text); sub(/ +$/, "", text); return text }
# The line of source in "at kernel+0x80 in file.cpp:11".
function line_in(text) { return match(text, /\.(cpp|cu):[0-9]+/) ? after_colon(substr(text, RSTART, RLENGTH)) : "" }
function after_colon(text) { sub(/.*:/, "", text); return text }
/^========= (COMPUTE-SANITIZER|ERROR SUMMARY|RACECHECK SUMMARY|LEAK SUMMARY|Target application returned an error)/ { next }
/^========= Error: process didn't terminate successfully/ { next }
/^========= Program hit/ { if (answer == "") answer = substr($0, 11); inside = 0; next }
/^========= [^ ]/ { inside = first == ""; if (inside) first = substr($0, 11); if (inside && line == "") line = line_in($0); next }
inside && line == "" { line = line_in($0) }
END {
  said = first != "" ? first : answer
  sub(/ at .*/, "", said); sub(/ due to .*/, "", said)
  printf "\"reported\": %s", first != "" ? "true" : "false"
  if (said != "") printf ", \"first\": \"%s\"", plain(said)
  if (line != "") printf ", \"line\": %s", line
}
END

# one KERNEL VERSION TOOL: a record. The program's own answer is 0 where the kernel computed what its test demands.
one() {
  local log=$logs/$1-$2-$3.txt ended=wrong
  timeout -k 2 "$patience" "$sanitizer" --tool "$3" "$program" "$1" "$2" > "$log" 2>&1
  case $? in
    0) ended=right ;;
    124 | 137) ended=hung ;;
  esac
  printf '{"kernel": "%s", "version": "%s", "tool": "%s", %s, "ended": "%s"}\n' \
    "$1" "$2" "$3" "$(awk -f "$scratch/first.awk" "$log")" "$ended" > "$scratch/records/$1-$2-$3"
}
export -f one

member() { printf '"%s": "%s"' "$1" "$(printf '%s' "$2" | tr -d '"\\')"; }
driver=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | sed 1q)
printf '{"machine": {%s, %s, %s, %s, %s}}\n' "$(member gpu "${driver%,*}")" "$(member driver "${driver#*, }")" \
  "$(member compute_sanitizer "$("$sanitizer" --version | sed -n "s/^Version \([0-9.]*\).*/\1/p")")" \
  "$(member options "--tool TOOL, otherwise none")" "$(member date "$(date -u +%Y-%m-%d)")" > "$output"

SECONDS=0
for kernel in $(sed -n 's/^__global__ void \([a-z_]*\)(.*/\1/p' "$here"/*_kernels.cpp); do
  for version in defect twin; do
    for tool in memcheck racecheck initcheck synccheck; do echo "$kernel $version $tool"; done
  done
done > "$scratch/runs"
xargs -P "${JOBS:-8}" -L 1 bash -c 'one "$0" "$1" "$2"' < "$scratch/runs"
while read -r kernel version tool; do cat "$scratch/records/$kernel-$version-$tool"; done < "$scratch/runs" >> "$output"
echo "compare.sh: $(wc -l < "$scratch/runs") runs in $SECONDS s, in $output" >&2
