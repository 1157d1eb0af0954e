#!/usr/bin/env bash
# Compiles a small trained network (text direction, 0.6 MB) with the pyatc of .venv, and shows it.
set -euo pipefail
cd "$(dirname "$0")/.."

show() {
  printf '\n$ %s\n' "$*"
  "$@"
}

model=$(.venv/bin/python -P scripts/fetch_model.py --out build/models ppocr_v2_cls)
mkdir -p build/demo
export PATH="$PWD/.venv/bin:$PATH"
show pyatc --model="$model" --framework=5 --soc_version=Ascend310P3 \
  --input_shape=x:1,3,48,192 --precision_mode_v2=origin --output=build/demo/ppocr_v2_cls
show pyatc --mode=6 --om=build/demo/ppocr_v2_cls.om
printf '\nThe offline model is %s\n' "$PWD/build/demo/ppocr_v2_cls.om"
