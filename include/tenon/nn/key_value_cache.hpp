#pragma once

#include <cstdint>
#include <utility>

#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/create/create.hpp>
#include <tenon/expr/join/set.hpp>
#include <tenon/expr/view/slice.hpp>

namespace tenon {

/// The keys and values of a layer at the positions so far, with memory for all of a text: no step
/// of its generation allocates it again. `Rows` has the axis `Position`:
/// `KeyValueCache<Float32<"batch key head=4 feature=16">, "key">`. Transformers: `StaticCache`.
template <TensorType Rows, Spec Position>
struct KeyValueCache {
  Rows keys, values;
  std::int64_t length = 0;  ///< The number of positions so far.

  /// Adds new positions. Throws `IndexError` where there is no memory for them.
  void append(Rows const& key, Rows const& value) {
    using Places = Tensor<std::int32_t, Position, typename Rows::device>;
    std::int64_t const added = size<Position>(key);
    Places const places = iota<Places>(added) + static_cast<std::int32_t>(length);
    keys = set<Position>(std::move(keys), places, key);  // in place
    values = set<Position>(std::move(values), places, value);
    length += added;
  }

  /// Those of the positions so far. The results are lazy.
  auto seen_keys() const { return slice<Position>(keys, 0, length); }
  auto seen_values() const { return slice<Position>(values, 0, length); }
};

}  // namespace tenon
