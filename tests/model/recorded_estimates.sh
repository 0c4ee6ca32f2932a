#!/bin/sh
# SPDX-License-Identifier: MIT
# recorded_estimates.sh ESTIMATE_ERRORS RECORDS: makes one in 97 of the recorded estimates again. What nvcc adds is left out,
# so that the test can run without it.
without_nvcc() { sed 's/"ms":[^,]*,//; s/,"counted_in_code":[a-z]*//' "$1"; }
again=$(mktemp) recorded=$(mktemp)
trap 'rm -f "$again" "$recorded"' EXIT
"$1" --records --part 5 97 > "$again.all" || exit 1
without_nvcc "$again.all" > "$again"; rm "$again.all"
without_nvcc "$2" > "$recorded"
if ! [ -s "$again" ]; then
  echo "no estimate was made"
  exit 1
fi
if grep -vxFf "$recorded" "$again"; then
  echo "are not among the recorded estimates; if the model was meant to change, record all of them:"
  echo "  build/tests/model/estimate-errors --records > docs/records/estimates/h200.jsonl"
  exit 1
fi
