#!/bin/sh
# SPDX-License-Identifier: MIT
# edit_to_verdict.sh SOURCE_ROOT: how long `lab check 04 --on sim` takes after a save until the verdict stands there, and until it
# ends, with an estimate below the verdict; the median of several.
set -eu
times=9
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r "$1/solutions" "$folder/labs"
meson setup "$folder/build" "$1" -Dgpu=disabled -Dlabs_dir="$folder/labs" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
ninja -C "$folder/build" lab >"$folder/log" 2>&1 || { tail -30 "$folder/log"; exit 1; }
"$folder/build/lab" check 04 --on sim >/dev/null
i=0 all=0
while [ $i -lt $times ]; do
  echo "// edit $i" >>"$folder/labs/04_shared_memory/histogram.cu"
  begin=$(date +%s%N)
  "$folder/build/lab" check 04 --on sim | {
    while IFS= read -r line; do case $line in pass*) date +%s%N >"$folder/passed"; break ;; esac; done
    cat >/dev/null
  }
  all=$((all + ($(date +%s%N) - begin) / 1000000))
  echo "$all" >"$folder/all"
  end=$(cat "$folder/passed")
  rm "$folder/passed"
  echo $(((end - begin) / 1000000))
  i=$((i + 1))
done | sort -n >"$folder/times"
# Its parts: the steps of building, each alone as `lab` runs it (a save leaves some of them undone), and a check with nothing
# to build.
for record in "$folder/build/labs/04_shared_memory/histogram.sim.p/step-"*; do
  command=$(sed -n "1s/^in [^:]*: //p" "$record")
  tool=${command%% *}
  begin=$(date +%s%N)
  (cd "$folder/build" && sh -c "$command")
  end=$(date +%s%N)
  echo "  step ${record##*-}, ${tool##*/}: $(((end - begin) / 1000000)) ms"
done
begin=$(date +%s%N)
WORKBOOK_ESTIMATE=none "$folder/build/lab" check 04 --on sim >/dev/null
end=$(date +%s%N)
echo "  judging alone: $(((end - begin) / 1000000)) ms"
echo "  to the end of the program, mean: $(($(cat "$folder/all") / times)) ms"
echo "edit to verdict, median of $times: $(sed -n "$(((times + 1) / 2))p" "$folder/times") ms (from $(head -1 "$folder/times") to $(tail -1 "$folder/times"))"
