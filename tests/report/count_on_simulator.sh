#!/bin/sh
# SPDX-License-Identifier: MIT
# count_on_simulator.sh LAB RECORDS COUNTS: runs on the simulator what the page of RECORDS has no counts for, and adds the
# records to the file COUNTS. docs/records/simulator.jsonl is made with it.
set -eu
lab=$1 records=$2 counts=$3
page=$(mktemp)
trap 'rm -f "$page"' EXIT
"$lab" report --records "$records" --output "$page" > /dev/null
grep -o '<code>lab run [^<]*--on sim[^<]*</code>' "$page" | sed 's|<code>lab \(.*\)</code>|\1|' | sort -u |
  while read -r arguments; do
    echo "$arguments"
    # shellcheck disable=SC2086  # words of a command
    WORKBOOK_RECORDS=$counts "$lab" $arguments --yes > /dev/null < /dev/null
  done
