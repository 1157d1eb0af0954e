"""``python3 -m ge.om run``."""

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable
from typing import Any, NoReturn

from ge.om import _ml_dtypes
from ge.om._arrays import numpy_or_none
from ge.om._command_error import CommandError
from ge.om._feeds import parse_shapes, random_input, read_inputs
from ge.om._graph import shape_text
from ge.om._model import Model, NodeTime, load

_SLOWEST = 20  # nodes that the text of a profile shows


def run(args: argparse.Namespace, refuse: Callable[[str], NoReturn]) -> None:
    """Run a model and print what came out.

    Args:
        args: The parsed words.
        refuse: Ends the command because its words are wrong.
    """
    try:
        shapes = parse_shapes(args.shape)
    except ValueError as error:
        refuse(str(error))
    if args.seed is not None and not args.random:
        refuse("--seed needs --random")
    if args.out_format is not None and args.out is None:
        refuse("--out-format needs --out")
    kind = args.out_format or "npy"
    if args.out is not None and kind == "npy" and numpy_or_none() is None:
        raise CommandError(".npy files need NumPy, which is not installed: --out-format bin")
    with load(args.model) as model:
        feeds = _feeds(model, args, shapes)
        outputs, seconds, nodes = _measure(model, feeds, args)
        files = _write(outputs, args.out, kind) if args.out is not None else {}
        if args.json:
            print(json.dumps(_facts(model, outputs, files, seconds, nodes), indent=1))
        else:
            _print(model, outputs, files, seconds, nodes)


def _feeds(
    model: Model, args: argparse.Namespace, shapes: dict[str, tuple[int, ...]]
) -> dict[str, Any]:
    """Return the inputs that the command line gives; what is missing is found by the core."""
    feeds: dict[str, Any] = {}
    if not model.runnable:  # the core says why not, before anything is read
        return feeds
    feeds = read_inputs(args.input, model.inputs, shapes)
    if args.random:
        for port in model.inputs:
            if port.name not in feeds:
                feeds[port.name] = random_input(port, args.seed or 0, shapes)
    if shapes:
        raise CommandError(
            f"--shape has no effect for {', '.join(shapes)}: it is for random and .bin inputs"
        )
    return feeds


def _measure(
    model: Model, feeds: dict[str, Any], args: argparse.Namespace
) -> tuple[dict[str, Any], list[float], list[NodeTime]]:
    """Run as often as asked; return the last outputs, seconds of each run, time of each node."""
    outputs: dict[str, Any] = {}
    seconds: list[float] = []
    totals: dict[tuple[str, str], tuple[int, float]] = {}
    for _ in range(args.repeat):
        start = time.perf_counter()
        if args.profile:
            profile = model.profile(feeds, threads=args.threads)
            outputs = profile.outputs
            for node in profile.nodes:
                calls, spent = totals.get((node.name, node.type), (0, 0.0))
                totals[node.name, node.type] = (calls + node.calls, spent + node.seconds)
        else:
            outputs = model.run(feeds, threads=args.threads)
        seconds.append(time.perf_counter() - start)
    return outputs, seconds, [NodeTime(*names, *times) for names, times in totals.items()]


def _write(outputs: dict[str, Any], folder: str, kind: str) -> dict[str, str]:
    """Write every output to a file of its own; return the paths by output."""
    os.makedirs(folder, exist_ok=True)
    files: dict[str, str] = {}
    for name, value in outputs.items():
        stem = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in name)
        path, number = os.path.join(folder, f"{stem}.{kind}"), 2
        while path in files.values():
            path, number = os.path.join(folder, f"{stem}_{number}.{kind}"), number + 1
        partial = f"{path}.part"
        with open(partial, "wb") as file:
            if kind == "npy":
                numpy = numpy_or_none()
                plain = _ml_dtypes.plain(value) if _is_of_ml_dtypes(value) else value
                numpy.save(file, plain, allow_pickle=False)
            else:
                bits = _ml_dtypes.bits_of(value) if _is_of_ml_dtypes(value) else value
                file.write(bits.tobytes())
        os.replace(partial, path)
        files[name] = path
    return files


def _is_of_ml_dtypes(value: Any) -> bool:
    return _ml_dtypes.name_of(getattr(value, "dtype", None)) is not None


def _facts(
    model: Model,
    outputs: dict[str, Any],
    files: dict[str, str],
    seconds: list[float],
    nodes: list[NodeTime],
) -> dict[str, Any]:
    rows = []
    for port in model.outputs:
        value = outputs[port.name]
        row = {"name": port.name, "dtype": port.dtype, "shape": list(value.shape or ())}
        rows.append(row | _values(value) | ({"file": files[port.name]} if files else {}))
    facts: dict[str, Any] = {"file": model.path, "seconds": seconds, "outputs": rows}
    if nodes:
        facts["nodes"] = [node._asdict() for node in nodes]
    return facts


def _values(value: Any) -> dict[str, float | int]:
    """Return least, greatest and mean of the finite elements, where NumPy can tell."""
    numpy = numpy_or_none()
    if numpy is None or value.dtype.kind == "c":
        return {}
    wide = value.astype("float64")
    finite = wide[numpy.isfinite(wide)]
    facts: dict[str, float | int] = {}
    if finite.size:
        facts = {
            "min": float(finite.min()),
            "max": float(finite.max()),
            "mean": float(finite.mean()),
        }
    if finite.size != wide.size:
        facts["not_finite"] = int(wide.size - finite.size)
    return facts


def _print(
    model: Model,
    outputs: dict[str, Any],
    files: dict[str, str],
    seconds: list[float],
    nodes: list[NodeTime],
) -> None:
    for port in model.outputs:
        value = outputs[port.name]
        line = f"{port.name}  {port.dtype}{shape_text(value.shape or ())}"
        facts = [f"{name} {number:.6g}" for name, number in _values(value).items()]
        print("  ".join([line, *facts, *([files[port.name]] if files else [])]))
    best = f"{min(seconds) * 1e3:.3f} ms"
    if len(seconds) == 1:
        print(f"1 run, {best}")
    else:
        middle = statistics.median(seconds) * 1e3
        print(f"{len(seconds)} runs, best {best}, median {middle:.3f} ms")
    if nodes:
        _print_profile(nodes)


def _print_profile(nodes: list[NodeTime]) -> None:
    total = sum(node.seconds for node in nodes) or 1.0
    print("\n        ms  share  calls  node")
    ordered = sorted(nodes, key=lambda node: -node.seconds)
    for node in ordered[:_SLOWEST]:
        share = f"{node.seconds / total:.1%}"
        print(f"{node.seconds * 1e3:10.3f} {share:>6} {node.calls:6}  {node.type} {node.name}")
    rest = ordered[_SLOWEST:]
    if rest:
        spent = sum(node.seconds for node in rest) * 1e3
        print(f"{spent:10.3f} {spent / total / 1e3:>6.1%}         {len(rest)} others (see --json)")
