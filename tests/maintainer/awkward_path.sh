#!/bin/sh
# SPDX-License-Identifier: MIT
# awkward_path.sh SOURCE_ROOT BUILD_ROOT: in a build folder whose path holds characters that the build tool stumbles over, no files
# are compiled as one, a runner is built, and nothing is built a second time.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
build="$folder/it's R&D here"
# The runner is not run, so it is compiled without optimisation: these flags come after Meson's.
CXXFLAGS=-O0 meson setup "$build" "$1" -Dgpu=disabled >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
if grep 'unity[0-9]*\.cpp' "$build/build.ninja"; then echo 'these would be compiled again each time'; exit 1; fi
sh "${0%/*}/borrow_libraries.sh" "$build" "$2"
target=common/build/labs-02_global_atomics-histogram.sim.stamp
ninja -C "$build" $target >"$folder/log" 2>&1 || { tail -30 "$folder/log"; exit 1; }
[ -x "$build/labs/02_global_atomics/histogram.sim" ] || { echo 'no runner was made'; exit 1; }
ninja -C "$build" -d explain $target >"$folder/log" 2>&1
grep -q 'no work to do' "$folder/log" || { echo 'built again:'; cat "$folder/log"; exit 1; }
