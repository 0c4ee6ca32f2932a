#!/bin/sh
# SPDX-License-Identifier: MIT
# edit_to_verdict.sh SOURCE_ROOT: how long `lab check 04 --on sim` takes after a save; the median of several.
set -eu
times=9
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r "$1/solutions" "$folder/labs"
meson setup "$folder/build" "$1" -Dgpu=disabled -Dlabs_dir="$folder/labs" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
ninja -C "$folder/build" lab >"$folder/log" 2>&1 || { tail -30 "$folder/log"; exit 1; }
"$folder/build/lab" check 04 --on sim >/dev/null
i=0
while [ $i -lt $times ]; do
  echo "// edit $i" >>"$folder/labs/04_shared_memory/histogram.cu"
  begin=$(date +%s%N)
  "$folder/build/lab" check 04 --on sim >"$folder/verdict"
  end=$(date +%s%N)
  grep -q '^pass' "$folder/verdict"
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
"$folder/build/lab" check 04 --on sim >/dev/null
end=$(date +%s%N)
echo "  judging alone: $(((end - begin) / 1000000)) ms"
echo "edit to verdict, median of $times: $(sed -n "$(((times + 1) / 2))p" "$folder/times") ms (from $(head -1 "$folder/times") to $(tail -1 "$folder/times"))"
