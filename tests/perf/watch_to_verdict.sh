#!/bin/sh
# SPDX-License-Identifier: MIT
# watch_to_verdict.sh SOURCE_ROOT: how long `lab watch 04 --on sim` takes from a save to the verdict; the median of several.
set -eu
times=9
folder=$(mktemp -d)
watch=
trap '[ -z "$watch" ] || kill "$watch"; rm -rf "$folder"' EXIT
cp -r "$1/solutions" "$folder/labs"
file=$folder/labs/04_shared_memory/histogram.cu
meson setup "$folder/build" "$1" -Dgpu=disabled -Dlabs_dir="$folder/labs" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
ninja -C "$folder/build" lab >"$folder/log" 2>&1 || { tail -30 "$folder/log"; exit 1; }
# What has passed stays watched when it passes again.
"$folder/build/lab" check 04 --on sim >/dev/null
: >"$folder/verdicts"
"$folder/build/lab" watch 04 --on sim >"$folder/verdicts" 2>&1 &
watch=$!

wait_for_passes() {  # NUMBER
  while [ "$(grep -c '^pass' "$folder/verdicts")" -lt "$1" ]; do
    kill -0 "$watch" || { cat "$folder/verdicts"; exit 1; }
    sleep 0.005
  done
}

wait_for_passes 1
i=0
while [ $i -lt $times ]; do
  i=$((i + 1))
  begin=$(date +%s%N)
  echo "// edit $i" >>"$file"
  wait_for_passes $((i + 1))
  end=$(date +%s%N)
  echo $(((end - begin) / 1000000)) >>"$folder/unsorted"
done
sort -n "$folder/unsorted" >"$folder/times"
echo "save to verdict under watch, median of $times: $(sed -n "$(((times + 1) / 2))p" "$folder/times") ms (from $(head -1 "$folder/times") to $(tail -1 "$folder/times"))"
