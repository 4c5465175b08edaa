// The rule of matmul: the resulting shapes and the mistakes.

#include "answers.hpp"

namespace answers {

using namespace tenon::internal;

// The last axis of the left is contracted with the second to last of the right.
static_assert(product("batch pixel=784", "pixel=784 hidden=128") == "batch hidden=128");
static_assert(product("2 3", "3 4") == "2 4");
static_assert(product("n k", "k m") == "n m");
static_assert(product("n k", "m k") == "the contracted axes do not agree");
static_assert(product("n n", "n n") == "n n");
static_assert(product("row 3", "_ column") == "row column");
static_assert(product("row _", "k=3 column") == "row column");
static_assert(product("n=2 k=3", "3 m=4") == "n=2 m=4");
static_assert(product("n=1..64 k", "k m=..8") == "n=1..64 m=..8");
static_assert(product("n k+1", "k+1 m") == "n m");
static_assert(product("n k+1", "k+2 m") == "n m");
static_assert(product("t d", "d k=t-1") == "t k=_" && product("t d", "d k=n-1") == "t k=n-1");
static_assert(product("t t=t-1", "t k") == "t k" && product("t d=t+1", "d+1 k") == "t k");
static_assert(product("n k+1", "8 m") == "n m");
static_assert(product("_ _", "_ _") == "_ _");
static_assert(product("n 0", "0 m") == "n m");

// Vectors.
static_assert(product("k", "k") == "");
static_assert(product("3", "3") == "");
static_assert(product("k", "k m") == "m");
static_assert(product("n k", "k") == "n");
static_assert(product("batch n k", "k") == "batch n");
static_assert(product("k", "batch k m") == "batch m");
static_assert(product("k=3", "k=4") == "the contracted axes do not agree");
static_assert(product("k", "batch n k") == "the contracted axes do not agree");

// A scalar has no axis to contract.
static_assert(product("", "k") == "a scalar has no axis to contract");
static_assert(product("k", "") == "a scalar has no axis to contract");
static_assert(product("", "") == "a scalar has no axis to contract");

// Leading axes broadcast.
static_assert(product("batch n k", "batch k m") == "batch n m");
static_assert(product("batch n k", "k m") == "batch n m");
static_assert(product("n k", "batch k m") == "batch n m");
static_assert(product("a batch n k", "batch k m") == "a batch n m");
static_assert(product("a b n k", "b k m") == "a b n m");
static_assert(product("a b n k", "a k m") == "a b n m");
static_assert(product("1 n k", "batch k m") == "batch n m");
static_assert(product("batch n k", "1 k m") == "batch n m");
static_assert(product("batch=1 n k", "head k m") == "head n m");
static_assert(product("batch n k", "head k m") == "the leading axes do not broadcast");
static_assert(product("batch=3 n k", "batch=4 k m") == "the leading axes do not broadcast");
static_assert(product("2 3 4 5", "2 3 5 6") == "2 3 4 6");
static_assert(product("2 3 4 5", "3 5 6") == "2 3 4 6");
static_assert(product("2 3 4 5", "7 5 6") == "the leading axes do not broadcast");
static_assert(product("2 1 4 5", "3 5 6") == "2 3 4 6");
static_assert(product("head query depth=64", "head depth=64 key") == "head query key");

// Contracted axes do not broadcast.
static_assert(product("n 1", "5 m") == "the contracted axes do not agree");
static_assert(product("n 5", "1 m") == "the contracted axes do not agree");
static_assert(product("n k=1", "k=5 m") == "the contracted axes do not agree");
static_assert(product("n 1", "1 m") == "n m");
static_assert(product("n 1", "k m") == "n m");

// A name has one size.
static_assert(product("t=3 d", "d t=3") == "t=3 t=3");
static_assert(product("t=3 d", "d t=5") == "t=3 t=5");
static_assert(product("t d", "d t") == "t t");
static_assert(product("t=3 d", "d t") == "t=3 t");

// Sizes and names.
static_assert(product("pixel=784 hidden=128", "batch pixel=784") ==
              "the contracted axes do not agree");
static_assert(product("batch pixel=784", "hidden=128 digit=10") ==
              "the contracted axes do not agree");
static_assert(product("2 3", "4 5") == "the contracted axes do not agree");
static_assert(product("a b c d e f n k", "a b c d e f k m") == "a b c d e f n m");
static_assert(product("n k=2..4", "k=5..7 m") == "the contracted axes do not agree");
static_assert(product("n k=2..4", "k=3 m") == "n m");
static_assert(product("n k=2..4", "k=8 m") == "the contracted axes do not agree");

// The labels: equal ones have the same extent, -1 broadcasts; labels that are not in the result are
// summed.
constexpr Contraction attention = matmul_rule(shape("1 h q d"), shape("b h d k"));
static_assert(attention.labels == 5);
static_assert(attention.left == AxisMap{-1, 1, 2, 4, -1, -1, -1, -1});
static_assert(attention.right == AxisMap{0, 1, 4, 3, -1, -1, -1, -1});
static_assert(attention.out == AxisMap{0, 1, 2, 3, -1, -1, -1, -1});
static_assert(attention.extents[0] == dynamic);

constexpr Contraction sized = matmul_rule(shape("n 3"), shape("k 4"));
static_assert(sized.left == AxisMap{0, 2, -1, -1, -1, -1, -1, -1});
static_assert(sized.right == AxisMap{2, 1, -1, -1, -1, -1, -1, -1});
static_assert(sized.extents[1] == 4);
static_assert(sized.extents[2] == 3);

constexpr Contraction by_vector = matmul_rule(shape("batch k"), shape("k"));
static_assert(by_vector.labels == 2);
static_assert(by_vector.left == AxisMap{0, 1, -1, -1, -1, -1, -1, -1});
static_assert(by_vector.right == AxisMap{1, -1, -1, -1, -1, -1, -1, -1});

// The mismatched axes.
constexpr Contraction inner = matmul_rule(shape("b n 3"), shape("b 4 m"));
static_assert(inner.left_axis == 2 && inner.right_axis == 1);
constexpr Contraction leading_axes = matmul_rule(shape("2 5 n k"), shape("7 k m"));
static_assert(leading_axes.left_axis == 1 && leading_axes.right_axis == 0);

}  // namespace answers
