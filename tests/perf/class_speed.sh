#!/bin/bash
# SPDX-License-Identifier: MIT
# class_speed.sh SOURCE BUILD [SUBMISSIONS [RUNS]]: how long lab grade takes for a class (300), all seven exercises each, with the
# user and system time of all its processes, and the most memory that the grader's own processes had (the grader, its workers
# and their supervisors; not compilers and runners). Of ten submissions four are right, three wrong in most exercises, two hostile
# and one is odd: pipes, links, folders without end, files of 4 GiB, binary files, strange names. No two hold the same bytes.
# Further runs have to give the same gradebook. Other words for lab grade, such as --no-sandbox, stand in WORKBOOK_GRADE.
set -eu
source=$1 build=$2 submissions=${3:-300} runs=${4:-1}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
class=$place/class

exercises=(01_sequential/histogram.cpp 02_global_atomics/histogram.cu 03_privatization/histogram.cu 04_shared_memory/histogram.cu
           05_coarsening/contiguous.cu 05_coarsening/interleaved.cu 06_aggregation/histogram.cu)

hand_in() {  # NUMBER FILE EXERCISE: the file, with a line that no other submission has
  mkdir -p "$class/$1/labs/${3%/*}"
  { cat "$2"; echo "// handed in by $1"; } >"$class/$1/labs/$3"
}

right() {
  for exercise in "${exercises[@]}"; do hand_in "$1" "$source/solutions/$exercise" "$exercise"; done
}

# The i-th of the collection for each exercise, whatever its verdict.
wrong() {
  for exercise in "${exercises[@]}"; do
    folder=$source/tests/submissions/${exercise%/*}
    [ -d "$folder/$(basename "${exercise%.*}")" ] && folder=$folder/$(basename "${exercise%.*}")
    mapfile -t all < <(find "$folder" -name "*.${exercise##*.}" | LC_ALL=C sort)
    hand_in "$1" "${all[$(($2 % ${#all[@]}))]}" "$exercise"
  done
}

mapfile -t hostile_files < <(find "$source/tests/judge/hostile" -maxdepth 1 -name '*.cu' | LC_ALL=C sort)
hostile() {
  right "$1"
  hand_in "$1" "${hostile_files[$(($2 % ${#hostile_files[@]}))]}" 02_global_atomics/histogram.cu
  cp -r "$source/tests/judge/hostile/parts" "$class/$1/labs/02_global_atomics/"
}

odd() {
  name=$1
  [ $(($2 % 2)) = 0 ] || name=$'=odd "'$1$'",\n\xff'
  right "$name"
  at=$class/$name/labs
  case $(($2 % 6)) in
    0) rm "$at/02_global_atomics/histogram.cu" && mkfifo "$at/02_global_atomics/histogram.cu" ;;
    1) ln -sf /etc/passwd "$at/03_privatization/histogram.cu" ;;
    2) truncate -s 4G "$at/04_shared_memory/histogram.cu" ;;
    3) head -c 50000 /bin/sh >"$at/05_coarsening/contiguous.cu" ;;
    4) ln -s .. "$at/06_aggregation/up" && ln -s . "$class/$name/self" ;;
    5) chmod 0 "$at/01_sequential/histogram.cpp" && : >"$at/02_global_atomics/histogram.cu" ;;
  esac
}

for ((i = 0; i < submissions; ++i)); do
  name=$(printf 'student-%03d' "$i")
  case $((i % 10)) in
    0 | 3 | 5 | 8) right "$name" ;;
    1 | 4 | 7) wrong "$name" $((i / 10 * 3 + i % 10 / 3)) ;;
    2 | 6) hostile "$name" $((i / 10 * 2 + i % 10 / 4)) ;;
    9) odd "$name" $((i / 10)) ;;
  esac
done

# The sum over the grader's processes, pages that they share counted once; and the highest that it was.
watch_memory() {
  most=0
  while [ -e "$place/watching" ]; do
    now=0
    for process in /proc/[0-9]*; do
      [ "$(readlink "$process/exe" 2>/dev/null)" = "$lab" ] || continue
      kib=$(awk '$1 == "Pss:" { print $2 }' "$process/smaps_rollup" 2>/dev/null || true)
      now=$((now + ${kib:-0}))
    done
    [ "$now" -le "$most" ] || { most=$now && echo "$most" >"$place/most"; }
    sleep 0.5
  done
}

lab=$(readlink -f "$build/lab")
for ((run = 1; run <= runs; ++run)); do
  echo 0 >"$place/most"
  touch "$place/watching"
  watch_memory &
  watcher=$!
  code=0
  TIMEFORMAT='%R %U %S'
  # shellcheck disable=SC2086
  { time "$lab" grade "$class" --output "$place/grades-$run" --seed 1 ${WORKBOOK_GRADE:-} >"$place/log" || code=$?; } 2>"$place/time"
  rm "$place/watching"
  wait "$watcher"
  [ "$code" = 0 ] || { tail -n 5 "$place/log" "$place/time" && echo "lab grade ended with code $code" && exit 1; }
  tail -n 1 "$place/time" | awk -v submissions="$submissions" -v memory="$(cat "$place/most")" -v load="$(cut -d' ' -f1-3 /proc/loadavg)" '{
    printf "%d submissions: %.0f s, %.2f s each; user and system time %.0f + %.0f s, %.2f s each; the grader took %.0f MiB; load %s\n",
      submissions, $1, $1 / submissions, $2, $3, ($2 + $3) / submissions, memory / 1024, load }'
  [ "$run" = 1 ] || {
    for file in gradebook.csv junit.xml; do cmp "$place/grades-1/$file" "$place/grades-$run/$file"; done
    echo "run $run gave the same gradebook and JUnit file as the first"
  }
done
# How many of each verdict, as a check on what was measured.
tail -n +2 "$place/grades-1/gradebook.csv" | grep -oE '\b(missing|not_started|build_error|forbidden|protocol|limit|timeout|crash|launch_error|out_of_bounds|uninitialised|divergent_barrier|race|wrong_answer|technique|pass)\b' |
  sort | uniq -c | sort -rn | awk '{ printf "%s%s %d", (NR > 1 ? ", " : "verdicts: "), $2, $1 } END { print "" }'
