#!/bin/sh
# SPDX-License-Identifier: MIT
# borrow_libraries.sh BUILD FROM: from now on the build folder BUILD, which is configured, links the static libraries of the build folder
# FROM, which has the same sources, instead of compiling its own; also after it is configured again. They are nine tenths of
# what `lab` and runners are compiled from. The library that knows where the tree lies is compiled.
set -eu
tool=$(cd "$(dirname "$0")" && pwd)/${0##*/}
# Other names would have to be quoted in the build file: then nothing is borrowed.
case $tool$2 in *[!A-Za-z0-9/._+-]*) exit 0 ;; esac
awk -v from="$2/" -v again=" && sh $tool . $2" '
  function is_there(name,  there, line) {
    there = (getline line < (from name)) > 0
    close(from name)
    return there
  }
  /^build [^ ]*\.a: STATIC_LINKER/ {
    name = substr($2, 1, length($2) - 1)
    left_out = name != "common/build/libbuild.a" && is_there(name)
    if (left_out) borrowed[name]
  }
  /^build / && !/\.a: STATIC_LINKER/ || /^$/ { left_out = 0 }
  left_out { next }
  /^rule / { rule = $2 }
  rule == "REGENERATE_BUILD" && /^ command = / { $0 = $0 again }
  { lines[++count] = $0 }
  END {
    for (i = 1; i <= count; ++i) {
      text = ""
      words = split(lines[i], word, / /)
      for (w = 1; w <= words; ++w) text = text (w > 1 ? " " : "") (word[w] in borrowed ? from word[w] : word[w])
      print text
    }
  }' "$1/build.ninja" > "$1/build.ninja.new"
mv "$1/build.ninja.new" "$1/build.ninja"
