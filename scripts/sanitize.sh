#!/usr/bin/env bash
# Builds everything with AddressSanitizer and UndefinedBehaviorSanitizer into build/sanitize, runs
# tests on that build, then feeds it damaged models.  The first report of a sanitizer ends a
# process, and with it a test.
#
#   scripts/sanitize.sh PYTHON [tests...]     PYTHON has the requirements of the tests
#
# FUZZ_SECONDS=60 is how long the damaged models are tried, FUZZ_SEED=1 which ones.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$(realpath -s "$1")
shift
build=build/sanitize
[ $# -gt 0 ] || set -- tests/{acl,base,om,backend,ops,compile,passes,plan,precision,aclop,fuzz}

mkdir -p build
cmake -S . -B $build -G Ninja -DGE_SANITIZE=address,undefined -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_CXX_FLAGS=-O1 -DPython_EXECUTABLE="$python" >$build.log 2>&1 ||
  { cat $build.log && exit 1; }
rm $build.log
cmake --build $build
cmake --install $build --prefix $build/tree --component tree >/dev/null

# Python itself is not instrumented, so the runtime has to be there before it.  Its own allocator
# would hide reads beyond a buffer.  An allocation that fails is an error of the program, no report.
runtime=$(gcc -print-file-name=libasan.so)
exceptions=$(gcc -print-file-name=libstdc++.so)
export LD_PRELOAD="$runtime $exceptions"
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=8192
export UBSAN_OPTIONS=print_stacktrace=1
export PYTHONMALLOC=malloc PYTHONPATH=$PWD/$build/tree/python/site-packages
export PYATC_ATC=$PWD/$build/tree/bin/atc
"$python" -P -m pytest -p no:cacheprovider -q "$@"
PYTHONPATH=$PYTHONPATH:tests "$python" -P -m fuzz --keep $build/faults \
  --seconds "${FUZZ_SECONDS:-60}" --seed "${FUZZ_SEED:-1}"
