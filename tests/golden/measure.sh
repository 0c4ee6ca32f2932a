#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# measure.sh BUILD_DIR OUTPUT [LAUNCHES]: counts the launches of launches.txt, or of another such file, with ncu on this
# machine's GPU, for the simulator's counters to be compared with (golden_test.cpp). OUTPUT gets a JSON record a line: the machine and the metrics first,
# then the launches. For maintainers; takes a few minutes.
#
# Solutions and reductions are profiled one by one, kernels and other experts several in a call: starting ncu takes longer than
# counting.
set -u -o pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
if [ $# -ne 2 ] && [ $# -ne 3 ]; then
  echo "usage: measure.sh BUILD_DIR OUTPUT [LAUNCHES]" >&2
  exit 2
fi
build=$(cd "$1" && pwd) || exit 2
output=$2 chosen=${3:-$here/launches.txt}
kernels=$build/tests/golden/golden-kernels.gpu
probe=$build/common/runner/gpu/lab-gpu-probe
expert_runners=$build/tests/golden/golden-expert-runners
for program in "$kernels" "$probe" "$expert_runners"; do
  [ -x "$program" ] || { echo "measure.sh: $program is missing: build it with a CUDA compiler" >&2; exit 3; }
done
ncu=${NCU:-$(command -v ncu || echo /usr/local/cuda/bin/ncu)}
[ -x "$ncu" ] || { echo "measure.sh: no ncu on PATH or in /usr/local/cuda/bin" >&2; exit 3; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sed -n 's/^expert \([^ ]*\) .*/\1/p' "$chosen" | sort -u > "$scratch/experts"
[ ! -s "$scratch/experts" ] || xargs "$expert_runners" gpu < "$scratch/experts" || { echo "measure.sh: the runners of the experts' kernels could not be made" >&2; exit 3; }

# counter, and the metrics whose sum it is; NAME[X]: the instances of a metric whose names begin with X.
# Counters whose names begin with "also:" are not compared; they are evidence where something deviates.
cat > "$scratch/counters" <<'END'
threads launch__thread_count
warps smsp__warps_launched.sum
barriers sass__inst_executed_per_opcode[BAR]
global_load_requests l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
global_load_sectors l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
global_store_requests l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
global_store_sectors l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
global_atomic_requests l1tex__t_requests_pipe_lsu_mem_global_op_red.sum l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum
shared_load_requests smsp__sass_inst_executed_op_shared_ld.sum
shared_load_wavefronts l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
shared_store_requests smsp__sass_inst_executed_op_shared_st.sum
shared_store_wavefronts l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum
shared_atomic_requests smsp__inst_executed_op_shared_atom.sum
shared_atomic_wavefronts l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum
also:shared_wavefronts l1tex__data_pipe_lsu_wavefronts_mem_shared.sum
also:shared_load_conflicts l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum
also:shared_store_conflicts l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum
also:shared_atomic_conflicts l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum
also:shared_load_instructions smsp__inst_executed_op_shared_ld.sum
also:shared_store_instructions smsp__inst_executed_op_shared_st.sum
also:shared_load_thread_instructions smsp__sass_thread_inst_executed_op_shared_ld.sum
also:global_load_instructions smsp__inst_executed_op_global_ld.sum
also:global_store_instructions smsp__inst_executed_op_global_st.sum
also:global_reductions smsp__inst_executed_op_global_red.sum
also:instructions smsp__inst_executed.sum
also:thread_instructions smsp__thread_inst_executed.sum
also:opcodes sass__inst_executed_per_opcode_with_modifier_all[LD,ST,AT,RED,BAR]
END

# The records of ncu's raw page as CSV: a row of column names, one of units, then a row a launch. Reads the counters
# that are wanted, then the CSV, and prints for each launch a line
#   kernel TAB grid TAB block TAB JSON of the counters TAB JSON of the other figures
cat > "$scratch/rows.awk" <<'END'
# The fields of a line of CSV, into field[1..]; returns their number. Quotes are doubled within quotes.
function fields_of(line,    n, i, c, quoted, text) {
  n = 0; quoted = 0; text = ""
  for (i = 1; i <= length(line); ++i) {
    c = substr(line, i, 1)
    if (c == "\"") {
      if (quoted && substr(line, i + 1, 1) == "\"") { text = text c; ++i } else quoted = !quoted
    } else if (c == "," && !quoted) { field[++n] = text; text = "" }
    else if (c != "\r") text = text c
  }
  field[++n] = text
  return n
}
# A whole number without thousands separators; "" for anything else.
function whole(text) {
  sub(/ *\(.*$/, "", text); gsub(/[, ]/, "", text)
  return text ~ /^[0-9]+(\.[0-9]*)?$/ ? sprintf("%.0f", text) : ""
}
# "8 (ATOMS: 5; BAR: 3)": the instances whose names begin with one of `prefixes`, as JSON members; their sum in `sum`.
function instances(text, prefixes,    parts, n, i, name, number, wanted, m, k, result, begin) {
  sum = ""; result = ""
  begin = index(text, "(")
  if (!begin) return ""
  text = substr(text, begin + 1); sub(/\) *$/, "", text)
  m = split(prefixes, wanted, ",")
  n = split(text, parts, ";")
  for (i = 1; i <= n; ++i) {
    if (!match(parts[i], /: *[0-9,.]+ *$/)) continue
    name = substr(parts[i], 1, RSTART - 1); number = whole(substr(parts[i], RSTART + 1))
    gsub(/^ +| +$|["\\]/, "", name)
    if (sum == "") sum = 0  # instances have names
    for (k = 1; k <= m; ++k) {
      if (index(name, wanted[k]) != 1) continue
      sum += number
      result = result (result == "" ? "" : ", ") "\"" name "\": " number
      break
    }
  }
  return result
}
function metric_value(metric,    prefixes, name) {
  name = metric; prefixes = ""
  if (match(metric, /\[.*\]$/)) { name = substr(metric, 1, RSTART - 1); prefixes = substr(metric, RSTART + 1, RLENGTH - 2) }
  if (!(name in column)) return ""
  if (prefixes == "") return whole(value[column[name]])
  members = instances(value[column[name]], prefixes)
  return sum == "" ? "" : sprintf("%.0f", sum)
}
# The first of "(256, 1, 1)".
function shape(text) { sub(/, .*/, "", text); gsub(/[^0-9]/, "", text); return text }
# A launch's figures are added to those since the last print_row, whose kernel and shape are the first one's.
function row(    c, k, total, one, parts, n) {
  if (!rows++) { name = value[column["Kernel Name"]]; grid = shape(value[column["Grid Size"]]); block = shape(value[column["Block Size"]]) }
  for (c = 1; c <= counters; ++c) {
    n = split(counter_line[c], parts, " "); total = 0; members = ""
    for (k = 2; k <= n; ++k) {
      one = metric_value(parts[k])
      if (one == "") missing[c] = 1; else total += one
    }
    sum_of[c] += total
    members_of[c] = members
  }
}
function print_row(    c, parts, compared, other) {
  compared = other = ""
  for (c = 1; c <= counters; ++c) {
    split(counter_line[c], parts, " ")
    if (c in missing) continue
    if (parts[1] == "also:opcodes") {
      if (rows == 1) other = other (other == "" ? "" : ", ") "\"opcodes\": {" members_of[c] "}"
    } else if (parts[1] ~ /^also:/) other = other (other == "" ? "" : ", ") "\"" substr(parts[1], 6) "\": " sprintf("%.0f", sum_of[c])
    else compared = compared (compared == "" ? "" : ", ") "\"" parts[1] "\": " sprintf("%.0f", sum_of[c])
  }
  gsub(/[\t"\\]/, "", name)
  printf "%s\t%s\t%s\t%s\t%s\n", name, grid, block, compared, other
  rows = 0; delete sum_of; delete members_of; delete missing
}
NR == FNR { counter_line[++counters] = $0; next }
/^"?ID"?,/ { delete column; n = fields_of($0); for (i = 1; i <= n; ++i) column[field[i]] = i; seen = 1; units = 1; next }
!seen || /^==/ { next }
{
  n = fields_of($0)
  if (n < 5) next
  if (units) { units = 0; if (field[column["ID"]] == "") next }
  for (i = 1; i <= n; ++i) value[i] = field[i]
  row()
  if (!together) print_row()
}
END { if (rows) print_row() }
END

# The metrics' own names, each once, with commas between.
metrics_of() { awk '{ for (i = 2; i <= NF; ++i) { sub(/\[.*/, "", $i); if (!seen[$i]++) printf "%s%s", n++ ? "," : "", $i } }' "$1"; }

# profile COUNTERS TOGETHER PROGRAM ARGUMENT...: profiles every launch of the program; rows in $scratch/rows, one for all launches
# if TOGETHER is 1, what the program printed in $scratch/printed, what ncu said in $scratch/csv.
profile() {
  local counters=$1 together=$2
  shift 2
  rm -f "$scratch/csv"
  "$ncu" --clock-control none --target-processes all --csv --page raw --print-units base $instances \
    --metrics "$(metrics_of "$counters")" --log-file "$scratch/csv" "$@" > "$scratch/printed" 2> "$scratch/errors"
  awk -v together="$together" -f "$scratch/rows.awk" "$counters" "$scratch/csv" > "$scratch/rows" 2>> "$scratch/errors"
}

excerpt() { cat "$scratch/csv" "$scratch/errors" 2>/dev/null | grep -v '^"' | grep . | head -5 >&2; }

# known COUNTERS: prints those lines whose metrics ncu counts here. Tries all at once, then halves.
known() {
  local all=$1 lines
  lines=$(wc -l < "$all")
  profile "$all" 0 "$kernels" strided_load_1 4 64
  if [ "$(sed 1q "$scratch/rows" | cut -f 4,5 | grep -o '"[a-z_]*": ' | wc -l)" -ge "$lines" ]; then
    cat "$all"
  elif [ "$lines" -eq 1 ]; then
    echo "measure.sh: left out, ncu does not give it: $(cat "$all")" >&2
    excerpt
  else
    local half=$((lines / 2))
    sed -n "1,${half}p" "$all" > "$all.1"
    sed -n "$((half + 1)),\$p" "$all" > "$all.2"
    known "$all.1"
    known "$all.2"
  fi
}

# The instances of a metric, here opcodes, with their names; an older ncu does not print them.
instances=""
"$ncu" --help | grep -q -e --print-metric-instances && instances="--print-metric-instances details"
SECONDS=0
known "$scratch/counters" > "$scratch/known"
if [ ! -s "$scratch/known" ]; then
  echo "measure.sh: ncu counts nothing here" >&2
  exit 1
fi
echo "measure.sh: $(wc -l < "$scratch/known") of $(wc -l < "$scratch/counters") counters, after $SECONDS s" >&2

# --- The first record

member() { [ -z "$2" ] || printf '%s"%s": "%s"' "$separator" "$1" "$(printf '%s' "$2" | tr -d '"\\')"; [ -z "$2" ] || separator=", "; }
{
  separator=""
  printf '{"machine": {'
  member gpu "$("$probe" | sed -n 's/^name //p')"
  member driver "$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | sed 1q)"
  member toolkit "$("$probe" | sed -n 's/^runtime_cuda //p')"
  member ncu "$("$ncu" --version | sed -n 's/^Version //p')"
  member date "$(date -u +%Y-%m-%d)"
  printf '}, "metrics": {'
  awk '{ name = $1; sub(/^also:/, "", name); sub(/^[^ ]+ /, ""); gsub(/ /, " + ")
         printf "%s\"%s\": \"%s\"", (NR > 1 ? ", " : ""), name, $0 }' "$scratch/known"
  printf '}}\n'
} > "$output"

# --- The launches

grep -v '^#' "$chosen" | grep . > "$scratch/launches"
total=$(wc -l < "$scratch/launches")
done=0
missing=0

# append FIRST COUNT: the records of the launches from line FIRST on, from the rows of one call of ncu. Fails where
# that call did not give one row for each, in order.
append() {
  sed -n "$1,$(($1 + $2 - 1))p" "$scratch/launches" > "$scratch/group"
  sed -n 's/^checksum //p' "$scratch/printed" > "$scratch/checksums"
  awk -F '\t' -v launches="$scratch/group" -v checksums="$scratch/checksums" -v count="$2" '
    {
      if ((getline launch < launches) <= 0) { bad = 1; exit }
      n = split(launch, word, " ")
      checksum = ""
      if (word[1] == "kernel") {
        if ($2 != word[3] || $3 != word[4]) { bad = 1; exit }
        if ((getline checksum < checksums) <= 0) { bad = 1; exit }
        checksum = ", \"checksum\": " checksum
      } else if (word[1] == "solution" && ($3 != word[6] || (word[7] != "-" && $2 != word[7]))) { bad = 1; exit }
      printf "{\"launch\": \"%s\", \"kernel\": \"%s\", \"grid\": %s, \"block\": %s%s, \"counters\": {%s}, \"also\": {%s}}\n",
        launch, $1, $2, $3, checksum, $4, $5
    }
    END { exit bad || NR != count }' "$scratch/rows" > "$scratch/records" || return 1
  cat "$scratch/records" >> "$output"
}

# Profiles the launches from line FIRST on, COUNT of them: kernels, experts, or one solution.
measure() {
  : > "$scratch/commands"
  local first=$1 count=$2 arguments=() together=0 option kind a b c d e f
  while read -r kind a b c d e f; do
    if [ "$kind" = kernel ]; then
      [ ${#arguments[@]} -gt 0 ] || arguments=("$kernels")
      arguments+=("$a" "$b" "$c")
      continue
    fi
    option=--binning
    case $a in sum_* | x1_*) option=--operator together=1 ;; esac
    if [ "$kind" = expert ]; then
      printf "%q --input %s --length %s %s %s --seed 1\n" "$build/tests/golden/experts/$a.gpu" "$b" "$c" "$option" "$d" >> "$scratch/commands"
      arguments=(sh -e "$scratch/commands")
    else
      arguments=("$build/solutions/$a.gpu" --input "$b" --length "$c" "$option" "$d" --block "$e" --seed 1)
      [ "$f" = - ] || arguments+=(--grid "$f")
    fi
  done < <(sed -n "$first,$((first + count - 1))p" "$scratch/launches")
  profile "$scratch/known" "$together" "${arguments[@]}"
  if append "$first" "$count"; then
    done=$((done + count))
    echo "measure.sh: $done of $total, $SECONDS s" >&2
  elif [ "$count" -gt 1 ]; then
    echo "measure.sh: one by one, for together they gave $(wc -l < "$scratch/rows") rows instead of $count" >&2
    excerpt
    local i
    for ((i = first; i < first + count; ++i)); do measure "$i" 1; done
  else
    echo "measure.sh: no figures for: $(sed -n "${first}p" "$scratch/launches")" >&2
    excerpt
    missing=$((missing + 1))
  fi
}

most=16
line=1
while [ "$line" -le "$total" ]; do
  # as many of a kind as follow one another, up to `most`; each solution alone, and each reduction, which takes several launches
  count=$(sed -n "$line,$((line + most - 1))p" "$scratch/launches" |
    awk 'NR == 1 { kind = $1 } $1 != kind || kind == "solution" || $2 ~ /^sum_/ { exit } { ++n } END { print n + 0 }')
  [ "$count" -gt 0 ] || count=1
  measure "$line" "$count"
  line=$((line + count))
done
echo "measure.sh: $done of $total launches in $SECONDS s, in $output" >&2
[ "$missing" -eq 0 ]
