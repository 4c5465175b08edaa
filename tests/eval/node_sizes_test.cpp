// Sizes of a node as data: the number of leaves that are asked does not grow with the depth.

#include <doctest/doctest.h>

#include <deque>

#include <tenon/tenon.hpp>

namespace node_sizes_test {

using namespace tenon;
using internal::NodeKind;
using internal::Sizes;
using internal::ir::LeafType;
using internal::ir::Node;
using internal::ir::NodeType;

int questions = 0;

template <class X>
Sizes counted_sizes(void const* leaf) {
  ++questions;
  return static_cast<X const*>(leaf)->sizes();
}

/// The description of an expression over leaves of type `X`, which count how often they are asked.
template <class X>
class CountedDescription {
 public:
  NodeType const& of(NodeType const& type) {
    NodeType& copy = types_.emplace_back(type);
    for (std::size_t k = 0; k < type.operand_count; ++k) copy.operands[k] = &of(*type.operands[k]);
    if (type.leaf != nullptr) {
      LeafType& leaf = leaves_.emplace_back(*type.leaf);
      leaf.sizes = &counted_sizes<X>;
      copy.leaf = &leaf;
    }
    return copy;
  }

 private:
  std::deque<NodeType> types_;
  std::deque<LeafType> leaves_;
};

/// Asks every node for its sizes, as a trace or a graph of derivatives does.
void ask_all(Node node, Sizes const& expected, int& nodes) {
  ++nodes;
  CHECK(node.sizes() == expected);
  node.each([&](Node operand) { ask_all(operand, expected, nodes); });
}

template <int depth, class X>
auto nested(X const& x) {
  if constexpr (depth == 0) return x;
  else return relu(nested<depth - 1>(x));
}

template <class X, class E>
void check_one_question(E const& e) {
  CountedDescription<X> description;
  int nodes = 0;
  questions = 0;
  ask_all({description.of(internal::node_type<E>), &e}, e.sizes(), nodes);
  CHECK(nodes == 17);
  CHECK(questions == 1);
}

TEST_CASE("every node of a deep expression gives its sizes without its operands") {
  Float32<"row=5 column=7"> const x = zeros<Float32<"row=5 column=7">>();
  check_one_question<Float32<"row=5 column=7">>(nested<16>(x));
  Float32<"row column=7"> const y(x);
  check_one_question<Float32<"row column=7">>(nested<16>(y));
}

TEST_CASE(
    "the sizes of views, reductions, contractions and gathers as data are those of the node") {
  auto const check = [](auto const& e) { CHECK(internal::node_of(e).sizes() == e.sizes()); };
  Float32<"row column=7"> const x(zeros<Float32<"row=5 column=7">>());
  Int32<"n"> const ids{1, 0, 2};
  check(transpose(relu(x) + 1.0f));
  check(slice<"row", 1, 3>(x));
  check(sum<"row">(relu(x)));
  check(sum<"row">(x, keep));
  check(matmul(x, transpose(x)));
  check(take<"row">(x, ids));
}

}  // namespace node_sizes_test
