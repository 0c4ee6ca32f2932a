#!/bin/sh
# SPDX-License-Identifier: MIT
# first_tour.sh SOURCE_ROOT: how long the README's first command takes without nvcc where everything is installed, and after it
# the second one, whose tests are built first; and the tests again when all is built.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
source_root=$1
timed() {  # WHAT COMMAND…
  what=$1
  shift
  begin=$(date +%s%N)
  "$@" >"$folder/log" 2>&1 || { tail -30 "$folder/log"; exit 1; }
  end=$(date +%s%N)
  echo "$what: $(((end - begin) / 1000000)) ms"
}
timed 'configure' meson setup "$folder/build" "$source_root" -Dgpu=disabled
timed 'build what the tour shows' ninja -C "$folder/build" tour
timed 'tour' "$folder/build/lab" tour
timed 'build the tests' ninja -C "$folder/build"
timed 'meson test, which compiles the sample' meson test -C "$folder/build" --no-rebuild
timed 'meson test again' meson test -C "$folder/build" --no-rebuild
