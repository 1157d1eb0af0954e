// The hashes that the vendor's library gives to operators and attributes.  Prints those that differ
// (tests/acl/test_core.py builds and runs it).
#include <cstdio>

#include "aclop/key.h"

namespace ge::aclop {
namespace {

int failures = 0;

void Expect(uint64_t seen, uint64_t wanted, int line) {
  if (seen == wanted) return;
  ++failures;
  std::printf("line %d: %llu, not %llu\n", line, static_cast<unsigned long long>(seen),
              static_cast<unsigned long long>(wanted));
}
#define EXPECT(seen, wanted) Expect(seen, wanted, __LINE__)

template <typename T>
uint64_t DigestOfOne(T value) {
  OpAttrs attrs;
  attrs.Set("k", std::move(value));
  return DigestOf(attrs);
}

void Attributes() {
  using Lists = std::vector<std::vector<int64_t>>;
  OpAttrs chain;
  EXPECT(DigestOf(chain), 0u);
  chain.Set("a", std::vector<std::string>{"hello", "world"});
  EXPECT(DigestOf(chain), 4469517942762953920u);
  chain.Set("b", std::vector<uint8_t>{0, 1});
  EXPECT(DigestOf(chain), 6147301992897187629u);
  chain.Set("c", std::vector<int64_t>{666, 444});
  EXPECT(DigestOf(chain), 1159624198106721570u);
  chain.Set("d", Lists{{1, 2}, {3, 4, 5}});
  EXPECT(DigestOf(chain), 3178425737445201206u);
  chain.Set("e", std::vector<float>{1.0f, 2.0f});
  EXPECT(DigestOf(chain), 6041060120762474175u);

  EXPECT(DigestOfOne(std::vector<float>{1.0f, 2.0f}), 14603419155467829796u);
  EXPECT(DigestOfOne(int64_t{0}), 2654435769u);
  EXPECT(DigestOfOne(int64_t{1}), 2654435770u);
  EXPECT(DigestOfOne(int64_t{-1}), 2654435768u);
  EXPECT(DigestOfOne(false), 2654435769u);
  EXPECT(DigestOfOne(true), 2654435770u);
  EXPECT(DigestOfOne(OpDtype{1}), 2654435770u);
  EXPECT(DigestOfOne(1.0f), 6045349167149918470u);
  EXPECT(DigestOfOne(0.5f), 11091207837809047485u);
  EXPECT(DigestOfOne(0.0f), 2654435769u);
  EXPECT(DigestOfOne(-0.0f), 2654435769u);
  EXPECT(DigestOfOne(std::string("abc")), 3663726647652463602u);
  EXPECT(DigestOfOne(std::string("sum")), 6582542721444801912u);
  EXPECT(DigestOfOne(std::vector<int64_t>{1, 2}), 175247769363u);
}

OpTensorDesc Tensor() {
  OpTensorDesc desc;
  desc.dtype = 1;
  desc.format = 2;
  desc.dims = SmallVector<int64_t, 4>(std::vector<int64_t>{2, 3});
  return desc;
}

OpDefinition Add(OpTensorDesc x1, OpTensorDesc x2 = Tensor()) {
  OpDefinition definition;
  definition.type = "Add";
  definition.inputs = {std::move(x1), std::move(x2)};
  definition.outputs = {Tensor()};
  return definition;
}

uint64_t Hash(const OpDefinition& definition) {
  return HashOf(RequestOfDefinition(definition).request);
}

void Operators() {
  EXPECT(Hash(Add(Tensor())), 3191003568949581246u);
  OpTensorDesc stored = Tensor();
  stored.storage_format = 29;
  EXPECT(Hash(Add(stored)), 13644745389454052759u);
  OpTensorDesc open = Tensor();
  open.dims[0] = -1;
  open.shape_range = {{1, -1}, {3, 3}};
  EXPECT(Hash(Add(open)), 6215214033178575117u);
  OpTensorDesc constant = Tensor();
  constant.dtype = 3;
  constant.dims = SmallVector<int64_t, 4>(std::vector<int64_t>{1});
  constant.constant =
      std::make_shared<const std::vector<uint8_t>>(std::vector<uint8_t>{1, 0, 0, 0});
  EXPECT(Hash(Add(Tensor(), constant)), 17164368938702489640u);
  OpDefinition with_attr = Add(Tensor());
  with_attr.attrs.Set("any_name", int64_t{1});
  EXPECT(Hash(with_attr), 3191003565837900664u);
  OpDefinition empty;
  empty.type = "Foo";
  EXPECT(Hash(empty), 15349161375622308548u);
  OpTensorDesc on_host = Tensor();
  on_host.placement = 1;
  EXPECT(Hash(Add(on_host)), 4709844651316347841u);
  EXPECT(Hash(Add(Tensor(), OpTensorDesc())), 13548037594711770650u);
  const OpDefinition dynamic = Add(Tensor());
  EXPECT(DynamicHashOf(RequestOfDefinition(dynamic).request, 1), 10838267866484968395u);
}

}  // namespace
}  // namespace ge::aclop

int main() {
  ge::aclop::Attributes();
  ge::aclop::Operators();
  return ge::aclop::failures != 0;
}
