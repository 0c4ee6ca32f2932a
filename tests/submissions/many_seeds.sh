#!/bin/sh
# SPDX-License-Identifier: MIT
# many_seeds.sh BUILD [N]: judges all submissions with N fresh seeds (20), and prints each verdict or diagnosis that is not
# the one of the submission's path, with its seed. Exits 1 if there are any.
set -eu
cd "${1:?usage: many_seeds.sh BUILD [N]}"
rounds=${2:-20}
log=meson-logs/many-seeds.txt
tests=$(meson test --list --suite submissions 2>/dev/null | grep -c submissions)
judged=0 wrong=0 round=0
while [ "$round" -lt "$rounds" ]; do
  round=$((round + 1))
  seed=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
  # Its exit code does not tell wrong verdicts from runs that came to none.
  rm -f "$log"
  WORKBOOK_SEED=$seed meson test --suite submissions --logbase many-seeds > meson-logs/many-seeds.out 2>&1 || true
  if [ "$(grep -c '^[0-9]* submissions, ' "$log" 2>/dev/null)" != "$tests" ]; then
    cat meson-logs/many-seeds.out
    exit 2
  fi
  grep -A 1 '^NOT AS EXPECTED' "$log" || true
  judged=$((judged + $(grep -c -e '^ok ' -e '^NOT AS EXPECTED' "$log")))
  wrong=$((wrong + $(grep -c '^NOT AS EXPECTED' "$log" || true)))
  echo "$round of $rounds (seed $seed): $judged judged, $wrong not as expected"
done
[ "$wrong" -eq 0 ]
