#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <tenon/backend/cpu/depthwise/loops.hpp>
#include <tenon/backend/cpu/simd/lanes_even.hpp>

/// Boxes of planes in the cache.
namespace tenon::internal {

/// How parts of planes are copied into the cache, with zeros around. From one box some targets
/// along the outermost axis are computed, in each phase. With a stride, the elements of a row with
/// the same remainder are neighbours, so that the targets of a row read contiguous elements.
template <class T>
struct DepthwiseBoxes {
  DepthwiseNumbers const& numbers;
  DepthwiseLoops loops;
  int outer;            ///< The axis along which a plane is divided.
  std::int64_t images;  ///< The source planes of a target.
  LoopLabels planes;    ///< One for each channel of the operand; `b` is the channel.
  std::array<std::int64_t, 3> extent{};
  std::int64_t targets = 0, boxes = 0;  ///< Of a box, along the outer axis; and of a plane.
  std::int64_t pitch = 0;               ///< The elements of a row with the same remainder.
  std::vector<std::array<std::int64_t, 2>> inside;  ///< Those of each remainder inside the source.

  DepthwiseBoxes(DepthwiseNumbers const& n, bool is_adjoint)
      : numbers(n),
        loops(n, is_adjoint),
        outer(loops[0].is_one() ? 1 : 0),
        images(is_adjoint ? n.multiplier : 1) {
    for (int i = 0; i < n.batch.size; ++i) add(n.batch[i], is_adjoint);
    add({n.channels, n.in_channel, 1, n.multiplier * n.out_channel}, is_adjoint);
    for (std::size_t i = 0; i < 3; ++i) extent[i] = loops[i].extent(loops[i].count(0));
    pitch = (extent[2] + loops[2].stride() - 1) / loops[2].stride();
    set_inside();
    divide();
  }

  std::int64_t row() const { return pitch * loops[2].stride(); }
  std::int64_t image() const { return extent[0] * extent[1] * row(); }
  /// A register more, which the last targets read.
  std::int64_t size() const { return images * image() + simd::width<T>; }
  DepthwiseLoop const& outer_loop() const { return loops[static_cast<std::size_t>(outer)]; }

  /// The terms of targets with these phases: their sources relative to those of the first target.
  void add_terms(std::array<std::int64_t, 3> const& phase, DepthwiseTerms& terms) const;

  /// Copies the box for the targets from `first` on along the outer axis; the ends of its rows are
  /// zero before.
  void fill(T const* source, std::int64_t first, T* to) const;

 private:
  void add(LoopLabel const& label, bool is_adjoint) {
    planes.add(is_adjoint ? LoopLabel{label.extent, label.c, label.b, label.a} : label);
  }

  /// As many targets for a box as fit into the L1 cache, but some windows at least.
  void divide() {
    constexpr std::int64_t elements = 24 * 1024 / sizeof(T);
    DepthwiseLoop const& loop = outer_loop();
    std::int64_t& length = extent[static_cast<std::size_t>(outer)];
    std::int64_t const all = loop.count(0), window = loop.extent(1);
    std::int64_t const slice =
        std::max<std::int64_t>(1, size() / std::max<std::int64_t>(1, length));
    std::int64_t const most = (std::max)(elements / slice, 4 * window);
    targets = std::max<std::int64_t>(1, (most - window) / loop.stride() + 1);
    boxes = (all + targets - 1) / targets;
    targets = boxes > 0 ? (all + boxes - 1) / boxes : 0;
    length = loop.extent(targets);
  }

  void set_inside() {
    DepthwiseLoop const& loop = loops[2];
    for (std::int64_t f = 0; f < loop.stride(); ++f) {
      std::int64_t const first = loop.least() + f, last = first - loop.sources();
      std::int64_t const begin =
          std::clamp<std::int64_t>(-floor_of(first, loop.stride()), 0, pitch);
      inside.push_back({begin, std::clamp(-floor_of(last, loop.stride()), begin, pitch)});
    }
  }

  TENON_INLINE void fill_row(T const* source, T* to) const {
    auto const stride = static_cast<std::int64_t>(inside.size());
    for (auto const& [begin, end] : inside) {
      T const* const from = source + begin * stride;
      if (stride == 1) std::copy_n(from, end - begin, to + begin);
      else simd::copy_steps(from, stride, end - begin, to + begin);
      ++source, to += pitch;
    }
  }
};

template <class T>
void DepthwiseBoxes<T>::add_terms(std::array<std::int64_t, 3> const& phase,
                                  DepthwiseTerms& terms) const {
  auto const [p0, p1, p2] = phase;
  auto const& [a, b, c] = static_cast<std::array<DepthwiseLoop, 3> const&>(loops);
  auto const places = [&](DepthwiseLoop const& loop, std::int64_t at, auto const& f) {
    for (std::int64_t k = 0; k < loop.axis.window; ++k)
      if (loop.has(at, k)) f(loop.base(at, k) - loop.least(), k * loop.axis.window_step);
  };
  std::int64_t const stride = c.stride();
  for (std::int64_t j = 0; j < images; ++j)
    places(a, p0, [&](std::int64_t i0, std::int64_t k0) {
      places(b, p1, [&](std::int64_t i1, std::int64_t k1) {
        places(c, p2, [&](std::int64_t i2, std::int64_t k2) {
          terms.push_back(
              {j * image() + (i0 * extent[1] + i1) * row() + i2 % stride * pitch + i2 / stride,
               j * numbers.window() + k0 + k1 + k2});
        });
      });
    });
}

template <class T>
void DepthwiseBoxes<T>::fill(T const* source, std::int64_t first, T* to) const {
  std::array<std::int64_t, 2> start{loops[0].least(), loops[1].least()};
  start[static_cast<std::size_t>(outer)] += first * outer_loop().stride();
  std::int64_t const row_size = row(), step = loops[1].source_step();
  source += loops[2].least();
  for (std::int64_t i = 0; i < extent[0]; ++i) {
    std::int64_t const a = start[0] + i;
    bool const is_inside = a >= 0 && a < loops[0].sources();
    std::int64_t const begin = std::clamp<std::int64_t>(-start[1], 0, is_inside ? extent[1] : 0);
    std::int64_t const end =
        is_inside ? std::clamp(loops[1].sources() - start[1], begin, extent[1]) : 0;
    std::fill_n(to, begin * row_size, T(0));
    T const* from = source + a * loops[0].source_step() + (start[1] + begin) * step;
    for (std::int64_t j = begin; j < end; ++j, from += step) fill_row(from, to + j * row_size);
    std::fill(to + end * row_size, to + extent[1] * row_size, T(0));
    to += extent[1] * row_size;
  }
}

}  // namespace tenon::internal
