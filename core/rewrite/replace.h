#pragma once

#include <span>
#include <string>
#include <vector>

#include "passes/rewrite.h"
#include "rewrite/match.h"

// Putting a graph in a place of another.  The Data nodes of a replacement are what enters the
// place, by their index attribute; the inputs of its NetOutput are what others read.  A text that
// is returned says what is wrong; nothing was changed then.
namespace ge {

// The place of one node.
Place PlaceOf(Node& node);

// The place that computes `outputs` from what the ports of `inputs` read; all ports of one entry
// read the same value.
std::string FindPlace(std::span<const std::vector<Place::Port>> inputs,
                      std::span<const Value> outputs, Place* place);

// Gives all nodes of a graph of one's own their dtypes and shapes; those of its Data are known.
std::string InferNodes(Graph& graph);
// Gives the nodes of `replacement` the dtypes and shapes that they have in that place.
std::string InferIn(Graph& replacement, const Place& place);

// Puts the nodes of `replacement` in that place.  The nodes of the place, which are not read any
// more, go with `removal`; the new ones stand for the same source nodes.  The graph is sorted once
// the removal is finished.
std::string Replace(Graph& replacement, const Place& place, Removal& removal);

}  // namespace ge
