#pragma once

#include <tenon/core/config.hpp>
#include <tenon/tensor/index.hpp>

namespace tenon::internal::axes {

[[gnu::noinline]] TENON_RUNTIME std::int64_t Count::apart(Sizes const& sizes, int rank) {
  return run(sizes, rank);
}
[[gnu::noinline]] TENON_RUNTIME Sizes RowMajor::apart(Sizes const& sizes, int rank) {
  return run(sizes, rank);
}
[[gnu::noinline]] TENON_RUNTIME std::int64_t Offset::apart(Sizes const& strides,
                                                           ElementIndex const& index, int rank) {
  return run(strides, index, rank);
}
[[gnu::noinline]] TENON_RUNTIME bool Next::apart(ElementIndex& index, Sizes const& sizes,
                                                 int rank) {
  return run(index, sizes, rank);
}

}  // namespace tenon::internal::axes
