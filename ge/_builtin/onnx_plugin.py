"""CANN's module for ONNX operators of others; the built-in engine has :mod:`ge.hooks` instead."""

raise ImportError(
    "the built-in engine has no ge.onnx_plugin: map the ONNX operator with ge.hooks.onnx_operator,"
    ' which needs no plug-in (see "python-hooks" in the documentation)',
    name="ge.onnx_plugin",
)
