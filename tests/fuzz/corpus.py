"""Good files to change: golden models, OM files of others, random graphs."""

import shutil
from pathlib import Path

from conformance.check import compile_model
from data.golden.sources import SOURCES
from hypothesis import HealthCheck, Phase, given, seed, settings
from random_graphs.graph import graphs

DATA = Path(__file__).resolve().parent.parent / "data"


def write_corpus(folder, count):
    """Write the files; ``count`` random graphs are among them, as ONNX and as OM."""
    folder.mkdir()
    for path in (*(DATA / "golden").glob("*.om"), *(DATA / "om").glob("*.om")):
        shutil.copy(path, folder)
    for name, source in SOURCES.items():
        model, _, _ = source()
        (folder / f"{name}.onnx").write_bytes(model.SerializeToString())
    for i, graph in enumerate(random_graphs(count)):
        path = folder / f"random{i}.onnx"
        path.write_bytes(graph.model().SerializeToString())
        compile_model(path, path.with_suffix(""), [])


def random_graphs(count):
    """Always the same random graphs."""
    found = []

    @seed(7)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(graphs(least=4, most=12))
    def collect(graph):
        found.append(graph)

    collect()
    return found
