#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# clangd.sh SOURCE_ROOT: clangd opens every lab and every solution without a diagnostic, in the tree as it is and in a copy
# that nothing was built in. Exits 77 where there is no clangd.
set -euo pipefail
source_root=$1
clangd=
for version in '' -22 -21 -20 -19 -18 -17 -16 -15 -14; do
  clangd=$(command -v "clangd$version") && break
done
[ -n "$clangd" ] || { echo 'skipped: no clangd'; exit 77; }

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
for part in .clangd common labs solutions; do
  [ ! -e "$source_root/$part" ] || cp -R "$source_root/$part" "$copy"
done

failed=0
# What clangd says of a file's lines; what it offers to do with them is left out.
diagnostics() {
  local log
  log=$("$clangd" "--check=$1" 2>&1) || true
  [[ $log == *'Testing features at each token'* ]] || { echo "$1: clangd did not read it"; return; }
  grep -E '\] Line [0-9]+: ' <<< "$log" || true
}
expect_none() {
  local found
  found=$(diagnostics "$1")
  if [ -n "$found" ]; then
    echo "$1"; echo "$found"
    failed=1
  fi
}

files=0
for root in "$source_root" "$copy"; do
  for file in "$root"/labs/*/*.c* "$root"/solutions/*/*.c*; do
    [ -e "$file" ] || continue
    expect_none "$file"
    files=$((files + 1))
  done
done
[ "$files" -gt 0 ] || { echo 'no files'; failed=1; }

# Control: a name that is not declared is seen.
wrong="$copy/labs/02_global_atomics/wrong.cu"
sed 's/return {1, 1};/return {blokIdx.x, 1};/' "$copy/labs/02_global_atomics/histogram.cu" > "$wrong"
[[ $(diagnostics "$wrong") == *blokIdx* ]] || { echo 'the undeclared name of the control is not reported'; failed=1; }

echo "$clangd: $files files"
exit $failed
