#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what is missing, configures, builds, and shows the workbook at work: lab tour. Arguments go to lab tour, for
# example: sh common/start.sh --input FILE. The build folder is build/, or $BUILD_DIR; it is configured with $SETUP_OPTIONS, such as
# -Dgpu=disabled.
set -eu

source_root=$(cd "$(dirname "$0")/.." && pwd)
build=${BUILD_DIR:-$source_root/build}

if [ "$(uname)" != Linux ]; then
  echo "the workbook needs Linux: on Windows use WSL 2, on macOS a Linux container or virtual machine" >&2
  exit 3
fi

say() { printf '\n== %s\n' "$*"; }

# Whether the C++ compiler finds a header. A library that is not a package, but where CPLUS_INCLUDE_PATH points to, is
# as good as an installed one.
has_header() { printf '#include <%s>\n' "$1" | "${CXX:-c++}" -std=c++20 -fsyntax-only -x c++ - 2>/dev/null; }
has_program() { command -v "$1" >/dev/null 2>&1; }

has_compiler() { printf '#include <span>\nint main() {}\n' | "${CXX:-c++}" -std=c++20 -fsyntax-only -x c++ - 2>/dev/null; }

# What is missing, as words for the tables below.
missing() {
  has_compiler || echo compiler
  has_program meson || echo meson
  has_program ninja || has_program ninja-build || has_program samu || echo ninja
  has_program addr2line || echo binutils
  # Without a compiler nobody can tell: then all of them are asked for, and those that are there stay as they are.
  has_header fmt/format.h || echo fmt
  has_header nlohmann/json.hpp || echo json
  has_header CLI/CLI.hpp || echo cli11
  has_header doctest/doctest.h || echo doctest
}

# What the workbook does without where it cannot be installed: only the plots of lab report need it.
wished() { has_program gnuplot || echo gnuplot; }

# The package for a word, with apt-get and dnf.
package() {
  case "$1:$2" in
    apt:compiler) echo g++ ;;
    apt:ninja) echo ninja-build ;;
    apt:gnuplot) echo gnuplot-nox ;;
    apt:fmt) echo libfmt-dev ;;
    apt:json) echo nlohmann-json3-dev ;;
    apt:cli11) echo libcli11-dev ;;
    apt:doctest) echo doctest-dev ;;
    dnf:compiler) echo gcc-c++ ;;
    dnf:ninja) echo ninja-build ;;
    dnf:fmt) echo fmt-devel ;;
    dnf:json) echo json-devel ;;
    dnf:cli11) echo cli11-devel ;;
    dnf:doctest) echo doctest-devel ;;
    *) echo "$2" ;;
  esac
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

manager=none
if has_program apt-get; then manager=apt
elif has_program dnf; then manager=dnf
fi

install_packages() {
  say "Installing: $*"
  case $manager in
    apt) as_root apt-get update
         as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" ;;
    dnf) as_root dnf install -y "$@" ;;
  esac
}

may_install() { [ $manager != none ] && { [ "$(id -u)" = 0 ] || has_program sudo; }; }

words=$(missing)
if [ -n "$words" ]; then
  if [ $manager = none ]; then
    echo "missing: $(echo $words)" >&2
    echo "there is no apt-get or dnf here; install them in your system's way and start again" >&2
    exit 3
  fi
  packages=$(for word in $words $(wished); do package $manager "$word"; done)
  if ! may_install; then
    echo "missing: $(echo $packages)" >&2
    case $manager in
      apt) echo "not root, and there is no sudo; as root run: apt-get update && apt-get install $(echo $packages)" >&2 ;;
      dnf) echo "not root, and there is no sudo; as root run: dnf install $(echo $packages)" >&2 ;;
    esac
    echo "then start again" >&2
    exit 3
  fi
  install_packages $packages
  words=$(missing)
  if [ -n "$words" ]; then
    echo "still missing after the installation: $(echo $words)" >&2
    exit 3
  fi
elif [ -n "$(wished)" ]; then
  { may_install && install_packages $(package $manager "$(wished)"); } || echo "going on without $(wished): lab report draws no plots" >&2
fi

if [ -f "$build/build.ninja" ]; then
  say "Configured already: $build"
else
  say "Configuring $build"
  meson setup ${SETUP_OPTIONS:-} "$build" "$source_root"
fi
# Only what the tour shows: the tests take longest, and `meson test` builds them.
say "Building"
meson compile -C "$build" tour
say "lab tour"
exec "$build/lab" tour "$@"
