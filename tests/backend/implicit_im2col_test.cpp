#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include <tenon/backend/cpu/backend.hpp>
#include <tenon/eval/contract/backward.hpp>

namespace implicit_im2col_test {

using namespace tenon::internal;

namespace {

using tenon::internal::CpuBackend;
using tenon::internal::LoopLabel;
using tenon::internal::LoopLabels;

/// Small integers: sums of their products are exact in any order.
template <class T>
std::vector<T> whole_numbers(std::size_t count, int seed) {
  std::vector<T> all(count);
  for (std::size_t i = 0; i < count; ++i)
    all[i] = T((static_cast<int>(i % 1009) * 37 + seed) % 7 - 3);
  return all;
}

/// The number of elements between the first and the last that the labels reach.
std::size_t reach(LoopLabels const& labels, std::int64_t LoopLabel::*steps) {
  std::int64_t last = 1;
  for (int i = 0; i < labels.size; ++i) last += (labels[i].extent - 1) * (labels[i].*steps);
  return static_cast<std::size_t>(last);
}

/// Adds all products by the definition. The last label is a loop over pointers, as this is not
/// optimised.
template <class T>
void add_products(LoopLabels const& labels, int depth, T const* a, T const* b, T* c) {
  LoopLabel const label = labels[depth];
  if (depth + 1 < labels.size) {
    for (std::int64_t i = 0; i < label.extent; ++i)
      add_products(labels, depth + 1, a + i * label.a, b + i * label.b, c + i * label.c);
  } else {
    for (std::int64_t i = 0; i < label.extent; ++i, a += label.a, b += label.b, c += label.c)
      *c += *a * *b;
  }
}

/// The operands of a contraction, and its value by the definition.
template <class T>
struct Case {
  LoopLabels labels;
  std::vector<T> a, b, expected;

  explicit Case(std::vector<LoopLabel> const& all) {
    for (LoopLabel const& label : all) labels.add(label);
    a = whole_numbers<T>(reach(labels, &LoopLabel::a), 1);
    b = whole_numbers<T>(reach(labels, &LoopLabel::b), 4);
    expected.assign(reach(labels, &LoopLabel::c), T(2));
    add_products(labels, 0, a.data(), b.data(), expected.data());
  }

  void is_multiplied() const {
    std::vector<T> c(expected.size(), T(2));
    tenon::internal::multiply_labels<CpuBackend, true>(labels, a.data(), b.data(), c.data(), true);
    CHECK(c == expected);
  }
  auto plan() const {
    T nothing{};
    return tenon::internal::plan_labels<CpuBackend, true>(labels, a.data(), b.data(), &nothing,
                                                          true, false);
  }
  bool takes_im2col() const {
    auto const made = plan();
    return made && made->scattered;
  }
  void is_multiplied_im2col() const {
    CHECK(takes_im2col());
    is_multiplied();
  }
};

/// Kernels "height=3 width=5 channel out" and strided images "channel height width".
std::vector<LoopLabel> convolution(std::int64_t out, std::int64_t channels, std::int64_t step) {
  std::int64_t const height = 21, width = 35, row = step * width + 4,
                     image = (step * height + 2) * row;
  return {{out, 1, 0, height * width}, {3, 5 * channels * out, row, 0}, {5, channels * out, 1, 0},
          {channels, out, image, 0},   {height, 0, step * row, width},  {width, 0, step, 1}};
}

/// The same, contracted over the positions, with the adjoint of the kernel as the result.
std::vector<LoopLabel> kernel_derivative(std::int64_t out, std::int64_t channels,
                                         std::int64_t step) {
  auto labels = convolution(out, channels, step);
  for (LoopLabel& label : labels) std::swap(label.a, label.c);
  return labels;
}

/// Small images, one matmul each; `gap` elements after each row of the result are not written.
std::vector<LoopLabel> convolutions(std::int64_t images, std::int64_t out, std::int64_t channels,
                                    std::int64_t size, std::int64_t gap = 0) {
  std::int64_t const row = size + 2, image = row * row, result = size * (size + gap);
  return {{images, 0, channels * image, out * result},
          {out, 9 * channels, 0, result},
          {channels, 9, image, 0},
          {3, 3, row, 0},
          {3, 1, 1, 0},
          {size, 0, row, size + gap},
          {size, 0, 1, 1}};
}

template <class T>
void check_convolutions() {
  Case<T>(convolution(13, 7, 1)).is_multiplied_im2col();
  Case<T>(convolution(64, 3, 2)).is_multiplied_im2col();
  Case<T>(kernel_derivative(13, 7, 1)).is_multiplied_im2col();
  Case<T>(convolution(64, 3, 3)).is_multiplied_im2col();
  Case<T>(kernel_derivative(33, 5, 2)).is_multiplied_im2col();
  Case<T>(kernel_derivative(33, 5, 3)).is_multiplied_im2col();
  // Few rows, which are packed: kernels that fill registers, and do not.
  for (std::int64_t const out : {15, 16, 31, 48, 63, 100})
    Case<T>(convolution(out, 29, 1)).is_multiplied_im2col();
}

}  // namespace

TEST_CASE("a convolution is one implicit im2col matmul for every stride of its windows") {
  check_convolutions<float>();
  check_convolutions<double>();
}

TEST_CASE("the images of a batch are matmuls of several per thread, for every number of threads") {
  int const before = tenon::threads();
  for (int const number : {1, 2, 5}) {
    tenon::set_threads(number);
    Case<float>(convolutions(61, 8, 3, 14)).is_multiplied_im2col();
    Case<double>(convolutions(37, 13, 5, 9)).is_multiplied_im2col();
    Case<float>(convolutions(3, 5, 70, 17)).is_multiplied_im2col();  // sums of two blocks
    Case<float>(convolutions(2, 3, 1, 400)).is_multiplied();         // few outputs: direct
    Case<double>(convolutions(2, 7, 3, 61)).is_multiplied();
  }
  tenon::set_threads(before);
}

TEST_CASE("rows of a result with gaps between them are the columns of one matmul") {
  for (std::int64_t const size : {7, 14, 17, 29}) {
    for (std::int64_t const out : {9, 13, 16, 50}) {  // packed windows, and packed kernels
      Case<float> const images(convolutions(2, out, 70, size, 4));
      CHECK(images.plan()->matrix.n >= size * size);
      images.is_multiplied_im2col();
      Case<double>(convolutions(3, out, 23, size, 1)).is_multiplied();
    }
  }
}

TEST_CASE("sums longer than a block continue in the next one") {
  Case<float>({{40, 0, 1, 90}, {90, 1, 0, 1}, {61, 90 * 41, 40, 0}, {41, 90, 40 * 61, 0}})
      .is_multiplied_im2col();
}

TEST_CASE("independent contractions over two labels") {
  std::vector<LoopLabel> const labels{{3, 5000, 9000, 17 * 24},
                                      {17, 24, 0, 24},
                                      {24, 0, 16, 1},
                                      {100, 1 + 24 * 17, 400, 0},
                                      {16, 3, 1, 0}};
  Case<double>(labels).is_multiplied_im2col();
}

TEST_CASE("columns in a different order from that of the operand") {
  for (std::int64_t n : {2, 4, 8})
    Case<float>({{64, 1024, 0, 4 * n},
                 {2, 0, 2048 * n, 2},
                 {n, 0, 2048, 4},
                 {2, 0, 1024, 1},
                 {1024, 1, 1, 0}})
        .is_multiplied_im2col();
}

TEST_CASE("small contractions, and those with one label per side, use strides") {
  CHECK_FALSE(
      Case<float>({{8, 0, 1, 8}, {8, 8, 0, 1}, {2, 1, 8, 0}, {4, 2, 16, 0}}).takes_im2col());
  CHECK_FALSE(Case<float>({{128, 0, 1, 1}, {128, 128, 0, 128}, {128, 1, 128, 0}}).takes_im2col());
}

TEST_CASE("the error of a backend without a matmul of scattered operands") {
  tenon::internal::ProductPlan<float> plan;
  plan.scattered = tenon::internal::im2col_operands(tenon::internal::SortedLabels());
  CHECK_THROWS_WITH_AS(
      tenon::internal::run_tasks<CpuBackend>(plan, tenon::internal::AfterPart<float>()),
      "tenon: this backend has no `multiply` for scattered operands", tenon::Error);
}

}  // namespace implicit_im2col_test
