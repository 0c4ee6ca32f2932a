#!/bin/sh
# SPDX-License-Identifier: MIT
# build_from_nothing.sh SOURCE_ROOT: how long configuring and building all, tests included, takes without nvcc.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
begin=$(date +%s%N)
meson setup "$folder/build" "$1" -Dgpu=disabled >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
configured=$(date +%s%N)
ninja -C "$folder/build" >"$folder/log" 2>&1 || { tail -30 "$folder/log"; exit 1; }
end=$(date +%s%N)
echo "configured in $(((configured - begin) / 1000000)) ms, built in $(((end - configured) / 1000000)) ms"
