"""Graph passes in Python.

A pass derives from :class:`FusionBasePass`, :class:`PatternFusionPass` or :class:`DecomposePass`
and is registered for a stage of the compile. ``ASCEND_GE_PY_PASS_PATH`` names files and folders
with passes; docs/python-passes.md is the introduction.
"""

from ge.passes.base import DecomposePass, FusionBasePass, PatternFusionPass, pattern
from ge.passes.context import PassContext
from ge.passes.pattern import (
    MatchResult,
    NodeIo,
    Pattern,
    PatternMatcherConfig,
    PatternMatcherConfigBuilder,
    capture_tensor,
    create_pattern,
    create_replacement,
)
from ge.passes.registry import (
    PassDescriptor,
    PassStage,
    clear_registered_passes,
    get_registered_pass_by_descriptor_key,
    get_registered_pass_dicts,
    get_registered_passes,
    register_decompose_pass,
    register_fusion_pass,
)
from ge.passes.rewriter import (
    FuseCheckResult,
    SubgraphBoundary,
    SubgraphInput,
    SubgraphOutput,
    SubgraphRewriter,
    can_fuse,
    infer_shape,
    report_fuse,
)

__all__ = [
    "DecomposePass",
    "FuseCheckResult",
    "FusionBasePass",
    "MatchResult",
    "NodeIo",
    "PassContext",
    "PassDescriptor",
    "PassStage",
    "Pattern",
    "PatternFusionPass",
    "PatternMatcherConfig",
    "PatternMatcherConfigBuilder",
    "SubgraphBoundary",
    "SubgraphInput",
    "SubgraphOutput",
    "SubgraphRewriter",
    "can_fuse",
    "capture_tensor",
    "clear_registered_passes",
    "create_pattern",
    "create_replacement",
    "get_registered_pass_by_descriptor_key",
    "get_registered_pass_dicts",
    "get_registered_passes",
    "infer_shape",
    "pattern",
    "register_decompose_pass",
    "register_fusion_pass",
    "report_fuse",
]
