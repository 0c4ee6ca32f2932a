#!/bin/sh
# SPDX-License-Identifier: MIT
# awkward_path.sh SOURCE_ROOT: in a build folder whose path holds characters that the build tool stumbles over, a runner is
# built, and nothing is built a second time.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
build="$folder/it's R&D here"
# The runner is not run, so it is compiled without optimisation, in two thirds of the time: these flags come after Meson's.
CXXFLAGS=-O0 meson setup "$build" "$1" -Dgpu=disabled >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
target=common/build/labs-02_global_atomics-histogram.sim.stamp
ninja -C "$build" $target >"$folder/log" 2>&1 || { tail -30 "$folder/log"; exit 1; }
[ -x "$build/labs/02_global_atomics/histogram.sim" ] || { echo 'no runner was made'; exit 1; }
ninja -C "$build" -d explain $target >"$folder/log" 2>&1
grep -q 'no work to do' "$folder/log" || { echo 'built again:'; cat "$folder/log"; exit 1; }
