#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <tenon/backend/cpu/backend.hpp>
#include <tenon/eval/contract/backward.hpp>

/// Depthwise and grouped convolutions and their adjoints as contractions of labels, compared with
/// the sums of the definition.
namespace direct_contraction_test {

using namespace tenon::internal;

namespace {

/// Images of some channels, each with `inputs` planes, and square kernels with `outputs` planes for
/// each channel. `last`: whether channels are the last axis.
struct Depthwise {
  std::int64_t images, channels, height, width, kernel;
  std::int64_t stride = 1, dilation = 1, inputs = 1, outputs = 1;
  bool last = false;

  std::int64_t padded(std::int64_t places) const {
    return (places - 1) * stride + (kernel - 1) * dilation + 1;
  }

  Sizes sizes() const {
    if (last) return {images, padded(height), padded(width), channels, inputs};
    return {images, channels, inputs, padded(height), padded(width)};
  }
  bool overlaps() const { return (kernel - 1) * dilation + 1 > stride; }
  bool is_grouped() const { return inputs > 1 || outputs > 1; }

  /// Images, kernels and results as the operands a, b and c.
  LoopLabels labels() const {
    std::int64_t const x = padded(width), plane = padded(height) * x, taps = kernel * kernel;
    std::int64_t const in = channels * inputs, out = channels * outputs, y = height * width;
    LoopLabels all;
    if (last) {
      all.add({images, plane * in, 0, y * out});
      all.add({channels, inputs, outputs, outputs});
      all.add({inputs, 1, out, 0});
      all.add({outputs, 0, 1, 1});
      all.add({height, stride * x * in, 0, width * out});
      all.add({width, stride * in, 0, out});
      all.add({kernel, dilation * x * in, kernel * inputs * out, 0});
      all.add({kernel, dilation * in, inputs * out, 0});
    } else {
      all.add({images, in * plane, 0, out * y});
      all.add({channels, inputs * plane, outputs * inputs * taps, outputs * y});
      all.add({inputs, plane, taps, 0});
      all.add({outputs, 0, inputs * taps, y});
      all.add({height, stride * x, 0, width});
      all.add({width, stride, 0, 1});
      all.add({kernel, dilation * x, kernel, 0});
      all.add({kernel, dilation, 1, 0});
    }
    return all;
  }
};

std::vector<Depthwise> const cases{
    {2, 3, 5, 7, 3},
    {1, 2, 9, 56, 3},
    {2, 2, 4, 67, 3},
    {3, 2, 6, 33, 5, 2},
    {2, 3, 4, 19, 2, 3},
    {1, 2, 5, 18, 3, 1, 2},
    {2, 3, 3, 17, 3, 2, 3},
    {2, 3, 5, 1, 3},
    {2, 3, 5, 20, 3, 1, 1, 2, 3},
    {1, 2, 4, 9, 3, 2, 1, 3, 2},
    {2, 16, 5, 7, 3, 1, 1, 1, 1, true},
    {1, 70, 3, 9, 3, 2, 1, 1, 1, true},
    {2, 5, 4, 6, 2, 3, 2, 1, 1, true},
    {2, 67, 23, 29, 2, 1, 1, 1, 1, true},  // sums of more terms than a block
    {1, 6, 3, 4, 3, 1, 1, 2, 2, true},
};

/// The adjoint of the kernels, or of the images: the result takes the place of one operand.
LoopLabels of_kernels(LoopLabels labels) {
  for (int i = 0; i < labels.size; ++i)
    labels[i] = {labels[i].extent, labels[i].c, labels[i].a, labels[i].b};
  return labels;
}
LoopLabels of_images(LoopLabels labels) {
  for (int i = 0; i < labels.size; ++i)
    labels[i] = {labels[i].extent, labels[i].c, labels[i].b, labels[i].a};
  return labels;
}

std::size_t reach(LoopLabels const& labels, std::int64_t LoopLabel::*steps) {
  std::int64_t last = 1;
  for (int i = 0; i < labels.size; ++i) last += (labels[i].extent - 1) * (labels[i].*steps);
  return static_cast<std::size_t>(last);
}

/// Small integers: sums of their products are exact in any order.
template <class T>
std::vector<T> whole_numbers(std::size_t count, int seed) {
  std::vector<T> all(count);
  for (std::size_t i = 0; i < count; ++i)
    all[i] = T((static_cast<int>(i % 1009) * 37 + seed) % 7 - 3);
  return all;
}

template <class T>
struct Operands {
  LoopLabels labels;
  std::vector<T> a = whole_numbers<T>(reach(labels, &LoopLabel::a), 1);
  std::vector<T> b = whole_numbers<T>(reach(labels, &LoopLabel::b), 4);

  std::vector<T> by_definition(T before) const {
    std::vector<T> c(reach(labels, &LoopLabel::c), before);
    for (std::int64_t i = 0; i < labels.count(); ++i) {
      LoopLabel const at = labels.place(i);
      c[std::size_t(at.c)] += a[std::size_t(at.a)] * b[std::size_t(at.b)];
    }
    return c;
  }
  std::vector<T> multiplied(T before, bool accumulate) const {
    std::vector<T> c(reach(labels, &LoopLabel::c), before);
    multiply_labels<CpuBackend, true>(labels, a.data(), b.data(), c.data(), accumulate);
    return c;
  }
  /// Added to images of these sizes.
  std::vector<T> added(T before, Sizes const& sizes) const {
    std::vector<T> c(static_cast<std::size_t>(count(sizes, 5)), before);
    WindowAdjoint const windows(labels, sizes, 5, nullptr);
    CHECK(windows.is_slid);
    multiply_windows<CpuBackend>(windows, a.data(), b.data(), c.data(), true);
    c.resize(reach(labels, &LoopLabel::c));
    return c;
  }
  bool is_direct() const {
    T nothing{};
    auto const plan = plan_labels<CpuBackend, true>(labels, a.data(), b.data(), &nothing, true);
    return plan && plan->direct;
  }
};

/// Equal, or both NaN.
template <class T>
bool same(std::vector<T> const& x, std::vector<T> const& y) {
  if (x.size() != y.size()) return false;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!(x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i])))) return false;
  return true;
}

template <class T>
void check_case(Depthwise const& sizes) {
  CAPTURE(sizes.width);
  CAPTURE(sizes.stride);
  CAPTURE(sizes.last);
  LoopLabels const labels = sizes.labels();
  Operands<T> forward{labels}, kernels{of_kernels(labels)}, images{of_images(labels)};
  forward.a[forward.a.size() / 2] = std::numeric_limits<T>::quiet_NaN();
  CHECK(all_finite(images.b.data(), images.labels));
  if (sizes.overlaps() && !(sizes.last && sizes.is_grouped())) CHECK(forward.is_direct());
  CHECK(same(forward.multiplied(T(0), false), forward.by_definition(T(0))));
  CHECK(same(forward.multiplied(T(2), true), forward.by_definition(T(2))));
  CHECK(same(kernels.multiplied(T(0), false), kernels.by_definition(T(0))));
  CHECK(same(kernels.multiplied(T(1), true), kernels.by_definition(T(1))));
  if (sizes.overlaps()) CHECK(same(images.added(T(3), sizes.sizes()), images.by_definition(T(3))));
  images.b.back() = std::numeric_limits<T>::infinity();
  CHECK_FALSE(all_finite(images.b.data(), images.labels));
}

TEST_CASE("a depthwise convolution and its adjoints are the sums of the definition") {
  for (Depthwise const& sizes : cases) {
    check_case<float>(sizes);
    check_case<double>(sizes);
  }
}

TEST_CASE("the adjoint of the kernels is a direct contraction for both layouts") {
  CHECK(Operands<float>{of_kernels(Depthwise{2, 8, 9, 20, 3}.labels())}.is_direct());
  Depthwise const last{
      .images = 2, .channels = 8, .height = 9, .width = 20, .kernel = 3, .last = true};
  CHECK(Operands<float>{of_kernels(last.labels())}.is_direct());
}

TEST_CASE("scores of queries with the keys of their windows are dot products") {
  // "batch time window" of queries "batch time feature" and keys, 30 windows of 7 keys.
  LoopLabels labels;
  for (LoopLabel const& label :
       {LoopLabel{3, 150, 180, 210}, {30, 5, 5, 7}, {7, 0, 5, 1}, {5, 1, 1, 0}})
    labels.add(label);
  Operands<float> const scores{labels};
  CHECK(scores.is_direct());
  CHECK(same(scores.multiplied(0, false), scores.by_definition(0)));
}

TEST_CASE("contractions without windows, and ordinary convolutions, are not direct") {
  LoopLabels attention, convolution;
  for (LoopLabel const& label :
       {LoopLabel{6, 40, 50, 20}, {4, 10, 0, 5}, {5, 0, 10, 1}, {10, 1, 1, 0}})
    attention.add(label);
  for (LoopLabel const& label : {LoopLabel{8, 0, 27, 900},
                                 {30, 32, 0, 30},
                                 {30, 1, 0, 1},
                                 {3, 1024, 9, 0},
                                 {3, 32, 3, 0},
                                 {3, 1, 1, 0}})
    convolution.add(label);
  CHECK_FALSE(Operands<float>{attention}.is_direct());
  CHECK_FALSE(Operands<float>{convolution}.is_direct());
}

/// Numbers whose sums are rounded.
Operands<float> rounded(LoopLabels const& labels) {
  Operands<float> all{labels};
  for (std::size_t i = 0; i < all.a.size(); ++i) all.a[i] = std::sin(float(i));
  for (std::size_t i = 0; i < all.b.size(); ++i) all.b[i] = std::cos(float(i));
  return all;
}

TEST_CASE("direct contractions have the same bits for any number of threads") {
  int const before = tenon::threads();
  for (bool last : {false, true}) {
    Depthwise const sizes{
        .images = 3, .channels = 40, .height = 50, .width = 51, .kernel = 3, .last = last};
    LoopLabels const labels = sizes.labels();
    auto const forward = rounded(labels), kernels = rounded(of_kernels(labels)),
               images = rounded(of_images(labels));
    tenon::set_threads(1);
    auto const y = forward.multiplied(0, false), w = kernels.multiplied(0, false),
               x = images.added(0, sizes.sizes());
    tenon::set_threads(3);
    CHECK(forward.multiplied(0, false) == y);
    CHECK(kernels.multiplied(0, false) == w);
    CHECK(images.added(0, sizes.sizes()) == x);
  }
  tenon::set_threads(before);
}

}  // namespace

}  // namespace direct_contraction_test
