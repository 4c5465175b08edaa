#include <tenon/nn.hpp>

#include "cases.hpp"

namespace onnx_cases {

namespace {

struct One {
  Float32<"batch d=6"> x;
};
struct Two {
  Float32<"batch d=6"> x;
  Float32<"batch d=6"> y;
};
struct Sequence {
  Float32<"batch t d=6"> x;
};
struct Ids {
  Float32<"batch d=6"> x;
  Int32<"batch"> ids;
};

One one(std::int64_t n) { return {numbers<Float32<"batch d=6">>(1, n)}; }
Two two(std::int64_t n) {
  return {numbers<Float32<"batch d=6">>(1, n), numbers<Float32<"batch d=6">>(2, n)};
}
Sequence sequence(std::int64_t n, std::int64_t t) {
  return {numbers<Float32<"batch t d=6">>(3, n, t)};
}
Ids ids(std::int64_t n) {
  Int32<"batch"> const places = to<std::int32_t>(uniform<Float32<"batch">>(Key{4}, n) * 6);
  return {numbers<Float32<"batch d=6">>(1, n), places};
}

/// A case of one input at three sizes.
template <class F>
void of_one(std::string const& name, F const& f) {
  save_case(name, f, one(4), one(1), one(7));
}
template <class F>
void of_two(std::string const& name, F const& f) {
  save_case(name, f, two(4), two(1), two(7));
}
template <class F>
void of_sequence(std::string const& name, F const& f) {
  save_case(name, f, sequence(4, 5), sequence(1, 3), sequence(2, 9));
}
template <class F>
void of_ids(std::string const& name, F const& f) {
  save_case(name, f, ids(4), ids(2), ids(9));
}

}  // namespace

TEST_CASE("onnx::save: reductions") {
  of_one("sum", [](auto const& x) { return sum<"d">(x); });
  of_one("sum_of_all", [](auto const& x) { return sum(x); });
  of_one("sum_of_batch", [](auto const& x) { return sum<"batch">(x, keep); });
  of_one("mean", [](auto const& x) { return mean<"batch">(x); });
  of_one("max", [](auto const& x) { return max<"d">(x); });
  of_one("min", [](auto const& x) { return min<"batch">(x, keep); });
  of_one("prod", [](auto const& x) { return prod<"d">(x); });
  of_one("var", [](auto const& x) { return var<"d">(x); });
  of_one("argmax", [](auto const& x) { return argmax<"d">(x); });
  of_one("argmin", [](auto const& x) { return argmin<"batch">(x); });
  of_one("any", [](auto const& x) { return any<"d">(x > 1.5f); });
  of_one("all", [](auto const& x) { return all<"batch">(x > -1.0f); });
  of_one("norm", [](auto const& x) { return norm<"d">(x); });
}

namespace {

struct Extremes {
  Float32<"batch"> max, min;
  Int32<"batch"> argmax, argmin;
};

}  // namespace

TEST_CASE("onnx::save: extremes find NaN") {
  One x = one(5);
  float const nan = std::numeric_limits<float>::quiet_NaN();
  float const infinity = std::numeric_limits<float>::infinity();
  x.x = Float32<"batch d=6">{{nan, 1, 2, 3, 4, 5},
                             {1, 2, infinity, nan, 0, nan},
                             {5, 4, 3, 2, 1, nan},
                             {-infinity, 0, 0, 0, infinity, 0},
                             {nan, nan, nan, nan, nan, nan}};
  auto const f = [](Float32<"batch d=6"> const& of) {
    return Extremes{max<"d">(of), min<"d">(of), argmax<"d">(of), argmin<"d">(of)};
  };
  save_case("extremes_of_nan", f, one(4), x);
}

TEST_CASE("onnx::save: functions along an axis") {
  of_one("softmax", [](auto const& x) { return softmax<"d">(x); });
  of_one("log_softmax", [](auto const& x) { return log_softmax<"batch">(x); });
  of_one("logsumexp", [](auto const& x) { return logsumexp<"d">(x); });
  of_one("log_of_softmax", [](auto const& x) { return log(softmax<"d">(x * 100.0f)); });
  of_one("sort", [](auto const& x) { return sort<"d">(x); });
  of_one("argsort", [](auto const& x) { return argsort<"batch">(x); });
  of_one("cumsum", [](auto const& x) { return cumsum<"batch">(x); });
}

TEST_CASE("onnx::save: formulas that are replaced when they are composed") {
  of_one("log_sigmoid", [](auto const& x) { return log(sigmoid(x * 50.0f)); });
  of_one("log_one_plus", [](auto const& x) { return log(1 + square(x) * 1e-9f); });
  of_one("log_plus", [](auto const& x) { return log(square(x) + 1e-3f); });
  of_one("exp_minus_one", [](auto const& x) { return exp(x * 1e-6f) - 1; });
  of_one("exp_minus", [](auto const& x) { return exp(x) - 0.5f; });
}

TEST_CASE("onnx::save: products") {
  of_two("matmul", [](auto const& x, auto const& y) { return matmul(x, transpose<>(y)); });
  of_two("gram", [](auto const& x, auto const& y) {
    return einsum<"b d, b e -> d e">(x, rename<"d -> e">(y)) * 0.5f;
  });
  of_two("dot", [](auto const& x, auto const& y) { return einsum<"b d, b d -> b">(x, y) + 1.0f; });
  of_sequence("scores", [](auto const& x) {
    return einsum<"b q d, b k d -> b q k">(x, x) / std::sqrt(6.0f);
  });
  of_sequence("causal_attention", [](auto const& x) {
    auto const heads = rearrange<"b t (h=2 f) -> b h t f">(x);
    return scaled_dot_product_attention(heads, heads, heads, is_causal);
  });
  of_sequence("attention", [](auto const& x) {
    auto const heads = rearrange<"b t (h=3 f) -> b h t f">(x);
    return scaled_dot_product_attention(heads, heads * 0.5f, heads);
  });
}

TEST_CASE("onnx::save: views") {
  of_one("transpose", [](auto const& x) { return transpose<>(x) * 2.0f; });
  of_one("slice", [](auto const& x) { return slice<"d", 1, 4>(x) + 1.0f; });
  of_one("slice_to_end",
         [](auto const& x) { return slice<"batch">(x, 1, size<"batch">(x)) * 1.0f; });
  of_one("last_row", [](auto const& x) { return x[-1] + 1.0f; });
  of_one("flip", [](auto const& x) { return flip<"batch">(x) - x; });
  of_one("roll", [](auto const& x) { return roll<"d">(x, 2); });
  of_one("repeat", [](auto const& x) { return repeat<"b d -> b k=3 d">(x); });
  of_sequence("rearrange", [](auto const& x) { return rearrange<"b t d -> t (b d)">(x); });
  of_sequence("split_axis", [](auto const& x) { return rearrange<"b t (k=2 d) -> k b d t">(x); });
  of_sequence("reshape", [](auto const& x) { return flatten<"batch t -> row">(x) + 1.0f; });
  of_sequence("windows", [](auto const& x) { return max<"window">(window<"t", 3>(x)); });
  of_sequence("strided_windows",
              [](auto const& x) { return sum<"window">(window<1, 2, 2>(pad<"t", 1, 1>(x))); });
  of_sequence("diagonal",
              [](auto const& x) { return diagonal(einsum<"b t d, b t e -> b d e">(x, x)); });
}

TEST_CASE("onnx::save: joins and gathers") {
  of_two("concat", [](auto const& x, auto const& y) { return concat<"batch">(x, y); });
  of_two("concat_columns",
         [](auto const& x, auto const& y) { return concat<"d">(x, y * 2.0f, x); });
  of_two("stack", [](auto const& x, auto const& y) { return stack<"layer">(x, y); });
  of_one("pad", [](auto const& x) { return pad<"d", 1, 2>(x, 3.5f); });
  of_ids("take", [](auto const& x, auto const& i) { return take<"d">(x, i); });
  of_ids("pick", [](auto const& x, auto const& i) { return pick<"d">(x, i); });
  of_ids("one_hot", [](auto const&, auto const& i) { return one_hot<"d=6">(i); });
  of_ids("cross_entropy", [](auto const& x, auto const& i) { return cross_entropy<"d">(x, i); });
  of_one("set", [](auto const& x) { return set<"d">(x, 2, 9.0f); });
  of_one("set_rows", [](auto const& x) { return set<"batch">(x, 0, x[0] * 2.0f); });
}

TEST_CASE("onnx::save: created tensors have run-time sizes") {
  of_one("iota", [](auto const& x) {
    auto const places = iota<Int64<"batch">>(size<"batch">(x));
    return sum<"d">(x) * to<float>(places + 1);
  });
  of_one("causal_mask", [](auto const& x) {
    auto const n = size<"batch">(x);
    auto const seen = iota<Int32<"key">>(n) <= iota<Int32<"query 1">>(n);
    return to<float>(seen);
  });
  of_one("eye", [](auto const& x) {
    return einsum<"b m, b d -> m d">(eye<Float32<"batch m">>(size<"batch">(x), size<"batch">(x)),
                                     x);
  });
  of_one("eye_of_integers", [](auto const& x) {
    return eye<Int32<"batch d=6">>(size<"batch">(x)) + to<std::int32_t>(floor(x));
  });
  of_one("linspace", [](auto const& x) {
    return x *
           rearrange<"batch -> batch 1">(linspace<Float32<"batch">>(-1, 2.5f, size<"batch">(x)));
  });
  of_one("linspace_of_doubles", [](auto const& x) {
    return to<double>(sum<"d">(x)) + linspace<Float64<"batch">>(0, 0.1, size<"batch">(x));
  });
  of_one("zeros", [](auto const& x) {
    return concat<"batch">(zeros<Float32<"batch d=6">>(size<"batch">(x) + 1), x);
  });
}

}  // namespace onnx_cases
