# shellcheck shell=bash
# Source this in bash or zsh: puts the commands, libraries and the Python package of this tree first.

if [ -n "${BASH_VERSION-}" ]; then
  _pyatc_root=${BASH_SOURCE[0]}
elif [ -n "${ZSH_VERSION-}" ]; then
  # shellcheck disable=SC2296  # zsh: the file that is being sourced
  _pyatc_root=${(%):-%x}
else
  echo 'set_env.sh: source this file in bash or zsh' >&2
  return 1
fi
_pyatc_root=$(cd "$(dirname "$_pyatc_root")" && pwd)
export PATH="$_pyatc_root/bin${PATH:+:$PATH}"
export LD_LIBRARY_PATH="$_pyatc_root/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export PYTHONPATH="$_pyatc_root/python/site-packages${PYTHONPATH:+:$PYTHONPATH}"
unset _pyatc_root
