#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/nn/expert_slots.hpp>

namespace tenon::internal {

TENON_RUNTIME std::int64_t ExpertLoad::of(std::int64_t expert, std::size_t begin,
                                          std::size_t end) const {
  std::int64_t sum = 0;
  for (std::size_t s = begin; s < end; ++s) sum += counts[s][static_cast<std::size_t>(expert)];
  return sum;
}

TENON_RUNTIME std::int64_t ExpertLoad::tokens(std::size_t begin, std::size_t end) const {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < experts(); ++i) sum += of(i, begin, end);
  return sum / choices;
}

TENON_RUNTIME std::int64_t capacity_of(float factor, std::int64_t tokens, int choices,
                                       std::int64_t experts) {
  if (!(factor > 0))
    fail<ValueError>(
        {"MixtureOfExperts", "capacity_factor", "a number above 0", std::to_string(factor), {}});
  double const share = static_cast<double>(tokens) * choices / static_cast<double>(experts);
  float const wanted = static_cast<float>(factor * share);
  if (!(wanted < static_cast<float>(tokens))) return tokens;  // a token chooses no expert twice
  return static_cast<std::int64_t>(std::ceil(wanted));
}

TENON_RUNTIME ExpertRooms rooms_of(ExpertLoad const& load, float factor, bool per_source) {
  ExpertRooms rooms{std::vector<std::int64_t>(static_cast<std::size_t>(load.experts())), 0};
  for (std::size_t s = 0; s < load.counts.size(); ++s) {
    std::size_t const begin = per_source ? s : 0, end = per_source ? s + 1 : load.counts.size();
    std::int64_t const capacity =
        capacity_of(factor, load.tokens(begin, end), load.choices, load.experts());
    for (std::int64_t i = 0; i < load.experts(); ++i) {
      std::int64_t const left = std::max<std::int64_t>(capacity - load.of(i, begin, s), 0);
      std::int64_t const taken = (std::min)(left, load.of(i, s, s + 1));
      if (s == load.own) rooms.taken[static_cast<std::size_t>(i)] = taken;
      rooms.slots = (std::max)(rooms.slots, taken);
    }
  }
  return rooms;
}

}  // namespace tenon::internal
