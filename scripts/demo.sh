#!/usr/bin/env bash
# Compiles a small trained network (MTCNN's face landmark net, 1.6 MB) with the pyatc of .venv.
set -euo pipefail
cd "$(dirname "$0")/.."

model=$(.venv/bin/python -P scripts/fetch_model.py --out build/models mtcnn_onet)
mkdir -p build/demo
say_and_run() {
  printf '\n$ %s\n' "$*"
  "$@"
}
PATH=$PWD/.venv/bin:$PATH
say_and_run pyatc --framework=5 --model="$model" --output=build/demo/mtcnn_onet \
  --soc_version=Ascend310P3 --precision_mode_v2=origin --input_shape=input_3:8,48,48,3
say_and_run pyatc --mode=6 --om=build/demo/mtcnn_onet.om
printf '\nThe offline model is %s\n' "$PWD/build/demo/mtcnn_onet.om"
