"""A pass that replaces nodes one by one: ``2 * x`` becomes ``x + x``."""

from ge.es import GraphBuilder
from ge.es.math import Add
from ge.passes import DecomposePass, PassStage, register_decompose_pass


@register_decompose_pass(
    name="MulToAdd", stage=PassStage.AFTER_BUILTIN_FUSION_PASS, op_types=["Mul"]
)
class MulToAdd(DecomposePass):
    """Replaces the product with a constant 2 by a sum."""

    def meet_requirements(self, node):
        factor, _ = node.get_in_data_nodes_and_port_indexes(1)
        return factor.type == "Const" and factor.get_attr("value").data in (2.0, [2.0])

    def replacement(self, node):
        builder = GraphBuilder("sum")
        x = builder.create_input(0)
        return builder.build_and_reset([Add(x, x)])
