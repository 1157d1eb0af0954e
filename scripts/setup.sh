#!/usr/bin/env bash
# Prepare this source tree on a Debian machine: system packages, a virtual environment in .venv, and
# this package installed in it with the extras that the arguments name.
#
#   scripts/setup.sh [EXTRA ...]
#
# What is already there is left alone, so that a second run is quick.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  printf 'setup: %s\n' "$1" >&2
  exit 1
}

# Prints the first Python that is new enough: $PYTHON, else the python3 on PATH, else Debian's.
find_python() {
  local candidate
  for candidate in ${PYTHON:+"$PYTHON"} python3 /usr/bin/python3; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v "$candidate"
      return
    fi
    [ -z "${PYTHON:-}" ] || fail "PYTHON=$PYTHON is no Python 3.11 or later"
  done
  fail 'no Python 3.11 or later found; set PYTHON=/path/to/python3'
}

install_system_packages() {
  local missing=() root=()
  command -v g++ >/dev/null || missing+=(g++)
  command -v cmake >/dev/null || missing+=(cmake)
  command -v ninja >/dev/null || missing+=(ninja-build)
  command -v ccache >/dev/null || missing+=(ccache)
  command -v node >/dev/null || missing+=(nodejs)
  [ -e /usr/include/protozero/pbf_reader.hpp ] || missing+=(libprotozero-dev)
  [ -e /usr/include/nlohmann/json.hpp ] || missing+=(nlohmann-json3-dev)
  if [[ $python == /usr/bin/* ]]; then
    "$python" -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
    compgen -G '/usr/include/python3.*/Python.h' >/dev/null || missing+=(python3-dev)
  fi
  if [[ " $* " == *' lint '* ]]; then
    command -v clang-format >/dev/null || missing+=(clang-format)
    command -v shellcheck >/dev/null || missing+=(shellcheck)
  fi
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    sudo -n true 2>/dev/null || fail "install these first: apt-get install ${missing[*]}"
    root=(sudo)
  fi
  command -v apt-get >/dev/null || fail "install these first (Debian's names): ${missing[*]}"
  "${root[@]}" apt-get update -q
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}"
}
