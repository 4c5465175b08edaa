#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/eval/move_to.hpp>
#include <tenon/expr/create/create.hpp>
#include <tenon/nn/axes.hpp>
#include <tenon/tensor/host_elements.hpp>

/// The assignment of tokens' choices to the slots of experts: integers, counted on the host.
namespace tenon::internal {

/// How often each expert is chosen by the tokens of several sources: of all ranks, in order, or of
/// one alone.
struct ExpertLoad {
  std::vector<std::vector<std::int64_t>> counts;  ///< Per source, per expert.
  int choices = 1;                                ///< Per token.
  std::size_t own = 0;                            ///< The index of this source.

  std::int64_t experts() const { return static_cast<std::int64_t>(counts[own].size()); }
  /// How often the sources from `begin` to before `end` choose an expert.
  std::int64_t of(std::int64_t expert, std::size_t begin, std::size_t end) const;
  std::int64_t of_all(std::int64_t expert) const { return of(expert, 0, counts.size()); }
  /// The number of tokens of these sources.
  std::int64_t tokens(std::size_t begin, std::size_t end) const;
  std::int64_t tokens() const { return tokens(0, counts.size()); }
};

/// The capacity of an expert for this number of tokens: ceil(factor · tokens · choices / experts).
/// (Rounded to float first, so that 1.1 · 10 gives 11.) Throws `ValueError`. Megatron:
/// `get_capacity`.
std::int64_t capacity_of(float factor, std::int64_t tokens, int choices, std::int64_t experts);

/// The number of choices of a source that each expert accepts, and the number of slots: equal for
/// all pairs of an expert and a source.
struct ExpertRooms {
  std::vector<std::int64_t> taken;  ///< Of this source.
  std::int64_t slots = 0;
};

/// The capacity is that of all tokens, and earlier sources take precedence; or, with `per_source`,
/// that of each source's tokens.
ExpertRooms rooms_of(ExpertLoad const& load, float factor, bool per_source);

/// The axes of `E` without the first.
template <class E>
struct RowOf {
  static constexpr Shape shape = removed(E::shape, 0);
};

/// The token in each slot, and the slot of each choice of a token. One past the last index means
/// none.
template <TensorType Tokens, TensorType Places>
struct ExpertSlots {
  Tokens tokens;  ///< "expert=8 slot"
  Places places;  ///< "token choice=2", counted over the slots of all experts
};

/// Assigns slots to choices, `choices` of each token one after the other, and reports the slot of
/// each.
void fill_slots(auto const& ids, std::int64_t count, std::int64_t choices, ExpertRooms const& rooms,
                std::int32_t* tokens, std::int32_t* places) {
  std::vector<std::int64_t> next(rooms.taken.size(), 0);
  for (std::int64_t i = 0; i < count; ++i) {
    auto const expert = static_cast<std::size_t>(ids[i]);
    if (next[expert] == rooms.taken[expert]) continue;
    std::int64_t const place = ids[i] * rooms.slots + next[expert]++;
    places[i] = static_cast<std::int32_t>(place);
    tokens[place] = static_cast<std::int32_t>(i / choices);
  }
}

/// The slots of choices "token choice=2", in the order of tokens, then of choices.
template <Spec Experts, TensorType Chosen>
auto slots_of(Chosen const& chosen, ExpertRooms const& rooms) {
  using D = typename Chosen::device;
  using TokenOfSlot = Tensor<std::int32_t, spec_of<AxesInOrder<Experts, "slot">>, HostOf<D>>;
  using SlotOfChoice = Tensor<std::int32_t, Chosen::spec, HostOf<D>>;
  auto const experts = static_cast<std::int64_t>(rooms.taken.size());
  Sizes const sizes = first_sizes(experts, rooms.slots);
  auto const number_of_tokens = static_cast<std::int32_t>(at(chosen.sizes(), 0));
  auto const number_of_slots = static_cast<std::int32_t>(experts * rooms.slots);
  auto tokens = filled(TokenOfSlot::uninitialised(sizes), number_of_tokens);
  auto places = filled(SlotOfChoice::uninitialised(chosen.sizes()), number_of_slots);
  fill_slots(host_elements(chosen), chosen.size(), at(chosen.sizes(), 1), rooms,
             tokens.own_memory(), places.own_memory());
  using There = ExpertSlots<decltype(to<D>(tokens)), decltype(to<D>(places))>;
  return There{to<D>(tokens), to<D>(places)};
}

/// The slots in a trace, where nothing may depend on values: every expert has a slot for each
/// token.
//
// (I is int32. A type that depends on no parameter would be instantiated by every program that
// includes this file.)
template <Spec Experts, TensorType Chosen>
auto slots_for_all(Chosen const& chosen, std::int64_t experts) {
  using I = typename Chosen::value_type;
  using TokenOfSlot = Tensor<std::int32_t, spec_of<AxesInOrder<Experts, "slot">>>;
  std::int64_t const tokens = at(chosen.sizes(), 0);
  auto const begins =
      filled(TokenOfSlot::uninitialised(first_sizes(experts, tokens)), std::int32_t{0});
  TokenOfSlot const slots = begins + iota<Tensor<I, "slot">>(tokens);
  Tensor<std::int32_t, Chosen::spec> const places =
      chosen * static_cast<std::int32_t>(tokens) + iota<Tensor<I, "token 1">>(tokens);
  return ExpertSlots<TokenOfSlot, Unqualified<decltype(places)>>{slots, places};
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <cmath>
#include <string>

#include <tenon/core/error.hpp>

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

#endif
