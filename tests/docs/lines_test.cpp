// The tables of docs/from_pytorch_numpy_eigen.md: each of their lines of code is a line here, with
// its value.

#include <doctest/doctest.h>

#include <tenon/fft.hpp>
#include <tenon/linalg.hpp>
#include <tenon/nn.hpp>
#include <tenon/transformations.hpp>

#include "prints.hpp"

namespace lines_test {

using namespace tenon;

namespace {

Float32<"row=2 column=3"> const x{{1, 2, 3}, {4, 5, 6}};
Float32<"column=3"> const v{3, 0, -1};
Float32<"n=2"> const u{3, 4};
Float32<"n=2 n=2"> const s{{2, 1}, {1, 3}};
Int32<"3"> const i{-4, 5, 6};
Int32<"k=2"> const ids{2, 0};
Int32<"row=2"> const y{2, 0};

TEST_CASE("lines of the page: creation") {
  prints("[[0. 0. 0.] [0. 0. 0.]]", zeros<Float32<"2 3">>());
  prints("[7. 7. 7.]", full<Float32<"3">>(7));
  prints("[0 1 2 3]", iota<Int32<"4">>());
  prints("[0. 0.25 0.5 0.75 1.]", linspace<Float32<"5">>(0, 1));
  prints("[[1. 0.] [0. 1.]]", eye<Float32<"2 2">>());
  prints("[[3. 0. 0.] [0. 0. 0.] [0. 0. -1.]]", diag(v));
  prints("[[0. 0. 1.] [1. 0. 0.]]", one_hot<"class=3">(ids));
}

TEST_CASE("lines of the page: shape") {
  prints("row=2 column=3", shape_of<decltype(x)>);
  prints("2", size<"row">(x));
  prints("[[1. 4.] [2. 5.] [3. 6.]]", transpose(x));
  prints("[[1. 2.] [3. 4.] [5. 6.]]", reshape<"3 2">(x));
  prints("[1. 2. 3. 4. 5. 6.]", flatten(x));
  prints("[[3.] [0.] [-1.]]", unsqueeze<-1>(v));
  prints("[3. 0. -1.]", squeeze(unsqueeze<0>(v)));
  prints("[[3. 0. -1.] [3. 0. -1.]]", expand<"row=2 column">(v));
  prints("[1. 4. 2. 5. 3. 6.]", rearrange<"r c -> (c r)">(x));
  prints("[[1. 2. 3.] [4. 5. 6.] [1. 2. 3.] [4. 5. 6.]]", concat<"row">(x, x));
  prints("[[3. 0. -1.] [3. 0. -1.]]", stack<"pair">(v, v));
  prints("[[1.] [4.]]", split<"column", 3>(x)[0]);
  prints("[0. 3. 0. -1. 0.]", pad<"column", 1, 1>(v));
  prints("[-1. 3. 0.]", roll<"column">(v, 1));
  prints("[-1. 0. 3.]", flip(v));
  prints("[[3. 0.] [0. -1.]]", window<"column", 2>(v));
}

TEST_CASE("lines of the page: indexing") {
  prints("[4. 5. 6.]", x[1]);
  prints("6", x(1, 2));
  prints("[[2. 3.] [5. 6.]]", slice<"column", 1, to_end>(x));
  prints("[[1. 3.] [4. 6.]]", slice<"column", 0, to_end, 2>(x));
  prints("[3. 6.]", take<"column">(x, -1));
  prints("[[3. 1.] [6. 4.]]", take<"column">(x, ids));
  prints("[[0. 0. 3.] [4. 5. 6.]]", where(x > 2, x, 0));
  prints("[[2. 0.] [1. 3.]]", tril(s));
  prints("[[1. 2. 3.] [3. 0. -1.]]", set<"row">(x, 1, v));
}

TEST_CASE("lines of the page: element by element") {
  prints("[[-2. 2. 4.] [1. 5. 7.]]", x - v);
  prints("[[1. 1.4142135 1.7320508] [2. 2.236068 2.4494898]]", sqrt(x));
  prints("[[3. 3. 3.] [4. 5. 6.]]", maximum(x, 3));
  prints("[[2. 2. 3.] [4. 5. 5.]]", clamp(x, 2, 5));
  prints("[-2. 2.5 3.]", to<float>(i) / 2);
  prints("[-2 1 2]", floor_divide(i, 3));
  prints("[2 2 0]", remainder(i, 3));
  prints("[0 4 8]", i << 2 & 12);
  prints("[[0 1 1] [2 2 3]]", to<std::int32_t>(x / 2));
}

TEST_CASE("lines of the page: masks") {
  prints("[[False False True] [True True True]]", x > 2);
  prints("[[False False True] [False True True]]", (x > 2) & ~(x == 4));
  prints("False", any(isnan(x)));
  prints("4", sum(to<std::int32_t>(x > 2)));
  prints("true", allclose(x, x + 1e-9f));
}

TEST_CASE("lines of the page: reductions") {
  prints("21.0", sum(x));
  prints("[6. 15.]", sum<"column">(x));
  prints("[2.5 3.5 4.5]", mean<"row">(x));
  prints("[4. 5. 6.]", max<"row">(x));
  prints("[2 2]", argmax<"column">(x));
  prints("2.888889", var(v));
  prints("5.0", norm(u));
  prints("[[1. 3. 6.] [4. 9. 15.]]", cumsum<"column">(x));
  prints("[-1. 0. 3.]", sort<"column">(v));
  prints("[3. 0.]", topk<"column", 2>(v).values);
  prints("[[5.]]", max_pool<"row column", 2>(x));
  prints("[[3. 4.]]", avg_pool<"row column", 2, Sliding{.stride = 1}>(x));
}

TEST_CASE("lines of the page: products and linear algebra") {
  prints("[[14. 32.] [32. 77.]]", matmul(x, transpose(x)));
  prints("[0. 6.]", matmul(x, v));
  prints("10.0", dot(v, v));
  prints("[[9. 0. -3.] [12. 0. -4.]]", outer(u, v));
  prints("[14. 77.]", einsum<"i j, i j -> i">(x, x));
  prints("[9. -4.]", convolve<-1>(v, u));
  prints("5.0", trace(s));
  prints("[1. 1.]", linalg::solve(s, u));
  prints("[[0.6 -0.2] [-0.2 0.4]]", linalg::inverse(s));
  prints("2", linalg::matrix_rank(s));
  prints("4.0", linalg::matrix_norm(s, 1));
  prints("[0. 0. 0.]", linalg::cross<"column">(v, v));
  prints("[[1. 3. 9.] [1. 4. 16.]]", linalg::vander(u, 3));
}

TEST_CASE("lines of the page: Fourier transforms") {
  prints("[7. 1.]", abs(fft::fft<"n">(u)));
  prints("[3. 4.]", fft::irfft<"n">(fft::rfft<"n">(u)));
  prints("[[7. 1.] [1. 3.]]", abs(fft::fftn(s)));
  prints("[-1. 3. 0.]", fft::fftshift(v));
}

TEST_CASE("lines of the page: random numbers, gradients, networks") {
  prints("True", max(uniform<Float32<"1000">>(Key{1})) < 1);
  prints("[6. 8.]", grad([](auto const& w) { return dot(w, w); })(u));
  prints("[[6. 0.] [0. 8.]]", jacrev([](auto const& w) { return w * w; })(u));
  prints("[3. 0. 0.]", relu(v));
  prints("[0.33333334 0.33333334 0.33333334]", softmax<"column">(0 * v));
  prints("1.0986123", cross_entropy<"column">(0 * x, y));
  prints("1.0986123", cross_entropy<"column">(0 * x, y, {.label_smoothing = 0.1}));
  prints("3.3333333", mse_loss(v, 0 * v));
  prints("1.5", huber_loss(v, 0 * v, {.delta = 2}));
  prints("[3. 0. -0.1]", leaky_relu(v, 0.1));
  prints("[1. 0.5 0.33333334]", hardsigmoid(v));
  prints("[5.196152]", pdist<"row">(x));
}

}  // namespace

}  // namespace lines_test
