#pragma once

#include <cstdint>
#include <limits>

#include <tenon/tenon.hpp>

namespace language_models {

using namespace tenon;

/// How the next token is chosen.
struct Sampling {
  double temperature = 0;  ///< 0: the token of the highest score.
  std::int64_t top_k = 0;  ///< Of the k most likely tokens; 0: of all.
  double top_p = 1;        ///< Of the fewest tokens that have this probability together.
};

/// The lowest score that is still chosen.
inline float least_score(Float32<"word"> const& scores, Sampling const& sampling) {
  auto const sorted = sort<"word">(scores, descending);
  auto const count = size<"word">(scores);
  auto kept = sampling.top_k > 0 && sampling.top_k < count ? sampling.top_k : count;
  if (sampling.top_p < 1) {
    auto const best = slice<"word">(sorted, 0, kept);
    auto const probability = eval(softmax<-1>(best));
    auto const before = cumsum<-1>(probability) - probability;
    kept = sum(to<std::int32_t>(before < sampling.top_p)).item();
  }
  return sorted(kept - 1);
}

inline std::int32_t next_token(Key const& key, Float32<"word"> const& scores,
                               Sampling const& sampling) {
  if (sampling.temperature == 0) return argmax(scores).item();
  Float32<"word"> const tempered = scores / static_cast<float>(sampling.temperature);
  if (sampling.top_k == 0 && sampling.top_p == 1) return categorical<"word">(key, tempered).item();
  auto const is_kept = tempered >= least_score(tempered, sampling);
  auto const hidden = -std::numeric_limits<float>::infinity();
  return categorical<"word">(key, where(is_kept, tempered, hidden)).item();
}

}  // namespace language_models
