"""A model in a few lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ge.om._graph import shape_text

if TYPE_CHECKING:
    from ge.om._model import Model, Port


def summary(model: Model) -> str:
    """Return what :meth:`Model.summary` returns."""
    rows = [
        ("file", f"{model.path}, {bytes_text(model.file_bytes)}"),
        ("model", model.name),
        ("made by", _maker(model)),
        ("command", model.command_line),
        ("runs here", "yes, on the CPU" if model.runnable else f"no: {model.not_runnable_reason}"),
        *_ports("inputs", model.inputs),
        *_ports("outputs", model.outputs),
        ("operators", _operators(model)),
        ("weights", _weights(model)),
        ("memory", _memory(model)),
    ]
    return "\n".join(f"{title:10}  {text}" for title, text in rows if text)


def bytes_text(count: int) -> str:
    """Write a number of bytes as a person does: ``"1.5 MB"``."""
    if count < 1000:
        return f"{count} bytes"
    size, unit = count / 1000, "kB"
    for larger in ("MB", "GB", "TB"):
        if size >= 999.95:
            size, unit = size / 1000, larger
    return f"{size:.1f} {unit}"


def _maker(model: Model) -> str:
    parts = [model.made_by or "unknown"]
    if model.framework:
        parts.append(f"from {model.framework}")
    if model.soc_version:
        parts.append(f"for {model.soc_version}")
    return ", ".join(parts)


def _ports(title: str, ports: tuple[Port, ...]) -> list[tuple[str, str]]:
    width = max((len(port.name) for port in ports), default=0)
    rows = []
    for i, port in enumerate(ports):
        text = f"{port.name:{width}}  {port.dtype} {shape_text(port.shape)}"
        rows.append(("" if i else title, text + range_text(port)))
    return rows or [(title, "none")]


def range_text(port: Port) -> str:
    """Say which sizes the unknown dims may have, where the model says it."""
    if port.range is None or port.shape is None:
        return ""
    texts = [
        f"{least} to {most}" if most is not None else f"{least} or more"
        for dim, (least, most) in zip(port.shape, port.range, strict=False)
        if dim is None
    ]
    return f", -1: {'; '.join(texts)}" if texts else ""


def _operators(model: Model) -> str:
    counts: dict[str, int] = {}
    for graph in model.graphs:
        for kind, count in graph.operators().items():
            counts[kind] = counts.get(kind, 0) + count
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    kinds = ", ".join(f"{count} {kind}" for kind, count in ordered)
    graphs = f" in {len(model.graphs)} graphs" if len(model.graphs) > 1 else ""
    return f"{sum(counts.values())}{graphs}: {kinds}" if counts else "none"


def _weights(model: Model) -> str:
    memory = model.memory
    text = bytes_text(memory.weight_bytes)
    if memory.packed_bytes:
        text += f", and {bytes_text(memory.packed_bytes)} in a faster layout"
    return text


def _memory(model: Model) -> str:
    if model.memory.arena_bytes == 0 and not model.runnable:
        return ""  # not stored
    text = f"{bytes_text(model.memory.arena_bytes)} per run"
    if model.memory.has_unknown_sizes:
        text += ", and tensors whose size is known when they are computed"
    return text
