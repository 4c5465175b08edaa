#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <tenon/tenon.hpp>

namespace language_models {

using namespace tenon;

/// The keys and values of one layer at the positions so far, with memory for all of a text: no step
/// allocates it again.
struct LayerCache {
  Float32<"position kv feature"> keys, values;
  std::int64_t length = 0;  ///< The number of positions so far.

  void append(Float32<"t kv feature"> const& key, Float32<"t kv feature"> const& value) {
    auto const places = eval(iota<Int32<"t">>(size<"t">(key)) + length);
    keys = set<"position">(std::move(keys), places, key);  // in place
    values = set<"position">(std::move(values), places, value);
    length += size<"t">(key);
  }
};

using Cache = std::vector<LayerCache>;

/// Throws `ValueError` for a text with more tokens than a model has positions.
inline void check_length(std::int64_t tokens, std::int64_t positions) {
  if (tokens > positions)
    throw ValueError("expected at most " + std::to_string(positions) + " tokens, got " +
                     std::to_string(tokens));
}

inline Cache new_cache(std::int64_t layers, std::int64_t positions, std::int64_t heads,
                       std::int64_t features) {
  Cache cache;
  for (std::int64_t i = 0; i < layers; ++i) {
    auto const empty = [&] {
      return zeros<Float32<"position kv feature">>(positions, heads, features);
    };
    cache.push_back({empty(), empty()});
  }
  return cache;
}

/// Causal attention of new positions to themselves and to all before them, softmax(q kᵀ /
/// sqrt(feature)) v. Heads of queries share keys and values in groups (J. Ainslie et al., "GQA",
/// 2023); with as many heads of keys as of queries it is multi-head attention.
inline Float32<"t head feature"> attend(Float32<"t head feature"> const& q,
                                        Float32<"t kv feature"> const& k,
                                        Float32<"t kv feature"> const& v, LayerCache& cache) {
  auto const before = cache.length;
  cache.append(k, v);
  auto const keys = rename<"position -> key">(slice<"position">(cache.keys, 0, cache.length));
  auto const values = rename<"position -> key">(slice<"position">(cache.values, 0, cache.length));

  auto const kv = size<"kv">(k);
  auto const queries = reshape<"t kv group feature">(q, kv, size<"head">(q) / kv);
  auto const scores =
      einsum<"t kv group feature, key kv feature -> kv group t key">(queries, keys) /
      std::sqrt(static_cast<float>(size<"feature">(q)));
  auto const seen = iota<Int32<"key">>(cache.length) <= iota<Int32<"t 1">>(size<"t">(q)) + before;
  auto const weights = softmax<"key">(where(seen, scores, -std::numeric_limits<float>::infinity()));
  auto const mixed =
      einsum<"kv group t key, key kv feature -> t kv group feature">(weights, values);
  return reshape<"t head feature">(eval(mixed), size<"head">(q));
}

}  // namespace language_models
