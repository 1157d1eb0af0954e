"""A pass that removes additions of zero: a pattern as an expression."""

from ge.passes import PassStage, PatternFusionPass, pattern, register_fusion_pass


@register_fusion_pass(name="RemoveAddZero", stage=PassStage.AFTER_INFER_SHAPE)
class RemoveAddZero(PatternFusionPass):
    """Replaces ``x + 0`` by ``x``."""

    @pattern
    def add_zero(self, inputs):
        return inputs[0] + 0

    def meet_requirements(self, match_result):
        # The sum may be larger than x, when the zero has more dims.
        x, total = match_result.get_captured_tensor(0), match_result.get_captured_tensor(1)
        before = x.node.get_output_desc(x.index).shape
        return before == total.node.get_output_desc(total.index).shape

    def replacement(self, inputs):
        return inputs[0]
