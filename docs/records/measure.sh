#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# docs/records/measure.sh BUILD_FOLDER PART...: measures with `lab` on this machine's GPU what docs/measured-results.md
# quotes. The records go to BUILD_FOLDER/records.jsonl, or where WORKBOOK_RECORDS says; those of all parts together, on an
# H200, are h200.jsonl beside this file. Every part takes less than nine minutes; without one the parts are listed.
#
# What is counted on the simulator needs no records: the same command gives the same figures anywhere.
set -u -o pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."

names="build ladder-letters4 ladder-letters ladder-bytes variants profiles-letters profiles-bytes profiles-same sweeps
       sweeps-bytes sweeps-same profiles-blocks profiles-short contention small reduction"
about() {
  case $1 in
    build)            echo "the program, solutions, variants and peers: 2 minutes on 16 cores" ;;
    ladder-*)         echo "all labs and peers on five inputs, 1 GiB, binning ${1#ladder-}: 3 minutes" ;;
    variants)         echo "the variants beside their solutions, 1 GiB, four pairs of input and binning: 2 minutes" ;;
    sweeps)           echo "threads per block, blocks, bytes per thread, length; up to 1 GiB: 4 minutes" ;;
    sweeps-*)         echo "what the sweeps above leave out of ${1#sweeps-}, under bytes, 256 MiB: 2 minutes" ;;
    contention)       echo "how many bins are in use; 64 MiB: 1.5 minutes" ;;
    profiles-blocks)  echo "counters with the blocks that fit and eight times as many, 1 GiB: 1 minute" ;;
    profiles-short)   echo "counters of all labs beside the simulator's, 4 MiB of three inputs: 2 minutes" ;;
    profiles-*)       echo "counters of all labs and of what counts byte by byte, 256 MiB of ${1#profiles-}: 1.5 minutes" ;;
    small)            echo "100 MiB of random bytes and 100 MB of text; compare and swap: 1 minute" ;;
    reduction)        echo "the sums of x1, four lengths, cold and warm, and their counters: 3 minutes" ;;
  esac
}

if [ $# -lt 2 ]; then
  echo "usage: docs/records/measure.sh BUILD_FOLDER PART..., the parts being:" >&2
  for name in $names; do printf '  %-17s %s\n' "$name" "$(about "$name")" >&2; done
  exit 2
fi
build=${1%/}
shift
status=0
begun=$SECONDS

# "lab" with these words, which every record keeps.
lab() {
  local at=$SECONDS
  printf '%4d s  lab %s\n' $((SECONDS - begun)) "$*"
  "$build/lab" "$@" > "$scratch/output" 2>&1
  local code=$?
  tail -n 40 "$scratch/output" | sed 's/^/        /'
  [ $code = 0 ] || { echo "FAILED with $code after $((SECONDS - at)) s: lab $*"; status=1; }
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Where the input is one letter under a binning of letters, or random bytes under that of bytes, a kernel is at an extreme.
pairs="letters:letters4 letters:letters bytes:bytes same:bytes"

# Without the labs and the skeletons, of which nothing is measured.
build() {
  local wanted
  wanted=$(ninja -C "$build" -t targets all |
    sed -nE 's#^(common/build/(solutions|variant)-.*[.]stamp): .*#\1#p; s#^(common/problems/[a-z]+/peers/[a-z_]+[.][cg]pu): .*#\1#p')
  ninja -C "$build" lab $wanted || status=1
}

ladder() { lab bench --input all --binning "$1" --length 1G; }

variants() {
  local pair which
  for pair in $pairs; do
    for which in 04 05 06; do
      lab bench "$which" --variants --input "${pair%:*}" --binning "${pair#*:}" --length 1G
    done
  done
}

sweeps() {
  local pair which
  for pair in letters:letters4 bytes:bytes; do
    for which in 05/contiguous 05/interleaved 06; do
      lab bench "$which" --sweep grid --input "${pair%:*}" --binning "${pair#*:}" --length 1G
    done
  done
  lab bench 06 --sweep grid --input same --binning bytes --length 1G
  for pair in letters:letters4 letters:letters bytes:bytes; do
    lab bench 04 --sweep block --input "${pair%:*}" --binning "${pair#*:}" --length 1G
  done
  for which in 02 03 05 06; do lab bench "$which" --sweep block --input letters --binning letters4 --length 256M; done
  for which in 05 06; do lab bench "$which" --sweep coarsening --input letters --binning letters4 --length 1G; done
  lab bench 05 --sweep coarsening --input bytes --binning bytes --length 1G
  lab bench --sweep length --input letters --binning letters4 --length 1G
}

sweeps_of() {
  local which
  for which in 02 03 04 05 06; do lab bench "$which" --sweep block --input "$1" --binning bytes --length 256M; done
  for which in 05 06; do lab bench "$which" --sweep grid --input "$1" --binning bytes --length 256M; done
  for which in 05 06; do lab bench "$which" --sweep coarsening --input "$1" --binning bytes --length 256M; done
  lab bench --sweep length --input "$1" --binning bytes --length 256M
}

contention() {
  lab bench --sweep contention --binning letters4 --length 64M
  lab bench --sweep contention --binning bytes --length 64M
}

profiles() {
  local binning=bytes which
  [ "$1" = letters ] && binning=letters4
  for which in 02 03 04 05/contiguous 05/interleaved 06 05/contiguous-c32_bytewise 05/contiguous-c4_bytewise \
    05/contiguous-c4_once 05/interleaved-bytewise 05/interleaved-once 06/histogram-bytewise; do
    lab profile "$which" --solution --alone --on gpu --input "$1" --binning $binning --length 256M
  done
}

profiles_blocks() {
  local which blocks
  for which in 05/contiguous 05/interleaved 06; do
    for blocks in 1056 8448; do
      lab profile $which --solution --alone --on gpu --input letters --binning letters4 --length 1G --grid $blocks
    done
  done
}

profiles_short() {
  local which pair
  for which in 02 03 04 05/contiguous 05/interleaved 06; do
    for pair in letters:letters4 bytes:bytes same:bytes; do
      lab profile $which --solution --alone --on gpu --input "${pair%:*}" --binning "${pair#*:}"
    done
  done
}

small() {
  lab bench --input bytes --binning bytes --length 100M
  lab bench 02/sectioned --variants --input text --binning letters --length 100000000
  lab bench 02/sectioned --sweep block --input text --binning letters --length 100000000
  lab bench 02/cas --variants --input letters --binning letters4 --length 64K
}

reduction() {
  local length which
  lab bench x1 --length 256M
  for length in 1M 64K 1K; do
    lab bench x1 --length $length
    lab bench x1 --length $length --warm
  done
  for which in naive coalesced converged grid shuffled; do
    lab profile x1/$which --solution --alone --on gpu --length 1M
  done
}

for part; do
  case " $(echo $names) " in
    *" $part "*) ;;
    *) echo "measure.sh: no part is called \"$part\"; the parts are: $(echo $names)" >&2; exit 2 ;;
  esac
  echo "$part: $(about "$part")"
  case $part in
    ladder-*)        ladder "${part#ladder-}" ;;
    sweeps-*)        sweeps_of "${part#sweeps-}" ;;
    profiles-blocks) profiles_blocks ;;
    profiles-short)  profiles_short ;;
    profiles-*)      profiles "${part#profiles-}" ;;
    *)               $part ;;
  esac
  echo "$part: done after $((SECONDS - begun)) s"
done
exit $status
