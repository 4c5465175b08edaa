#pragma once

#include <algorithm>
#include <cstdint>

#include <tenon/eval/along_axis/replace.hpp>
#include <tenon/eval/backend.hpp>
#include <tenon/eval/kernel.hpp>

namespace tenon::internal {

/// Adjacent 1-d slices along an axis: element `i` of slice `j` is at `start + i * step + j`.
struct AlongAxis {
  std::int64_t start = 0;
  std::int64_t length = 0;
  std::int64_t step = 1;
  std::int64_t width = 1;

  /// The same slices from their end.
  constexpr AlongAxis reversed() const {
    return {start + std::max<std::int64_t>(length - 1, 0) * step, length, -step, width};
  }
};

/// The maximum number of slices walked side by side.
inline constexpr std::int64_t most_lines = 256;

/// Calls `f(lines, scratch)` for all slices of a tensor along an axis, in chunks that do not depend
/// on the number of threads; `scratch` has `scratch_bytes` bytes of working memory.
template <TensorType E, class F>
void for_each_along_axis(E const& tensor, int axis, std::size_t scratch_bytes, F const& f) {
  AxisRows const along = rows_along(tensor.sizes(), E::rank, axis);
  if (tensor.size() == 0) return;
  std::int64_t const bundles = (along.inner + most_lines - 1) / most_lines;
  std::int64_t const work = along.rows * (std::min)(along.inner, most_lines);
  std::int64_t const total = along.outer * bundles;
  std::int64_t const each = std::max<std::int64_t>(1, chunk_elements / work);
  auto const lines = [=](std::int64_t number) {
    std::int64_t const first = number % bundles * most_lines;
    return AlongAxis{number / bundles * along.rows * along.inner + first, along.rows, along.inner,
                     (std::min)(most_lines, along.inner - first)};
  };
  BackendOf<typename E::device>::parallel_for(
      (total + each - 1) / each, scratch_bytes, [&](std::int64_t chunk, std::byte* scratch) {
        std::int64_t const end = (std::min)((chunk + 1) * each, total);
        for (std::int64_t i = chunk * each; i < end; ++i) f(lines(i), scratch);
      });
}
template <TensorType E, class F>
void for_each_along_axis(E const& tensor, int axis, F const& f) {
  for_each_along_axis(tensor, axis, 0, [&](AlongAxis const& lines, std::byte*) { f(lines); });
}

}  // namespace tenon::internal
