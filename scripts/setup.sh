#!/usr/bin/env bash
# Prepares this source tree on a Debian machine: system packages, and a virtual environment in .venv
# made with $PYTHON, else with the first python3 that is new enough.  What is there is left alone.
#
#   scripts/setup.sh [test|lint]    also what the tests or the style checks need
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  printf 'setup: %s\n' "$1" >&2
  exit 1
}

# Prints the interpreter for .venv; fails if there is none.
find_python() {
  local candidate candidates=(python3 /usr/bin/python3)
  [ -z "${PYTHON:-}" ] || candidates=("$PYTHON")
  for candidate in "${candidates[@]}"; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v "$candidate"
      return
    fi
  done
  return 1
}

has_header() {
  [ -e "/usr/include/$1" ] || [ -e "/usr/local/include/$1" ]
}

missing=()
command -v g++ >/dev/null || missing+=(g++)
command -v cmake >/dev/null || missing+=(cmake)
command -v ninja >/dev/null || missing+=(ninja-build)
command -v ccache >/dev/null || missing+=(ccache)
has_header protozero/pbf_reader.hpp || missing+=(libprotozero-dev)
has_header nlohmann/json.hpp || missing+=(nlohmann-json3-dev)
case ${1:-} in
  test) command -v node >/dev/null || missing+=(nodejs) ;;  # runs netron, a reader of offline models
  lint)
    command -v clang-format >/dev/null || missing+=(clang-format)
    command -v shellcheck >/dev/null || missing+=(shellcheck)
    ;;
esac
if ! python=$(find_python); then
  [ -z "${PYTHON:-}" ] || fail "PYTHON=$PYTHON is no Python 3.11 or later"
  missing+=(python3 python3-venv python3-dev)
elif [[ $python == /usr/bin/* ]]; then
  "$python" -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
  compgen -G '/usr/include/python3.*/Python.h' >/dev/null || missing+=(python3-dev)
fi

if [ ${#missing[@]} -gt 0 ]; then
  as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    as_root=(sudo -n)
    sudo -n true 2>/dev/null || fail "install these first: apt-get install ${missing[*]}"
  fi
  command -v apt-get >/dev/null || fail "install these first (Debian's names): ${missing[*]}"
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}"
  python=$(find_python) || fail 'the python3 of this system is older than 3.11; set PYTHON'
fi

# Makes models run faster; the build works without it.
if ! has_header oneapi/dnnl/dnnl.hpp; then
  as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo -n)
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends libdnnl-dev ||
    printf 'setup: building without oneDNN (libdnnl-dev)\n' >&2
fi

[ -x .venv/bin/pip ] || "$python" -m venv .venv
