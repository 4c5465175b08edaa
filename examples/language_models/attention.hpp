#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tenon/nn.hpp>

namespace language_models {

using namespace tenon;

/// The keys and values of one layer at the positions so far.
using LayerCache = KeyValueCache<Float32<"position kv feature">, "position">;
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

/// Causal attention of new positions to themselves and to all before them, with groups of heads of
/// queries for each of keys and values.
inline Float32<"t head feature"> attend(Float32<"t head feature"> const& q,
                                        Float32<"t kv feature"> const& k,
                                        Float32<"t kv feature"> const& v, LayerCache& cache) {
  auto const place = iota<Int32<"t 1">>(size<"t">(q)) + cache.length;
  cache.append(rename<"t -> position">(k), rename<"t -> position">(v));
  auto const mixed = scaled_dot_product_attention(
      rearrange<"t head feature -> head t feature">(q),
      rearrange<"key kv feature -> kv key feature">(cache.seen_keys()),
      rearrange<"key kv feature -> kv key feature">(cache.seen_values()),
      iota<Int32<"key">>(cache.length) <= place, enable_gqa);
  return rearrange<"head t feature -> t head feature">(mixed);
}

}  // namespace language_models
