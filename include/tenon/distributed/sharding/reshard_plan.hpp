#pragma once

#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/distributed/sharding/sharding.hpp>

/// Plans a redistribution as steps. Slicing replicated data moves nothing and comes first; then
/// mesh axes that move between tensor axes (all_to_all); then all_gather.
namespace tenon::internal {

struct ReshardStep {
  enum Kind { done, take_part, exchange, gather };
  Kind kind = done;
  int from = -1;     ///< The axis that is gathered,
  int to = -1;       ///< and the one that is divided.
  FixedText over{};  ///< The mesh axis.
};

/// The mesh axis that divides last: "cp" of "dp@cp".
constexpr std::string_view last_of(std::string_view list) {
  std::size_t const at = list.rfind('@');
  return at == list.npos ? list : list.substr(at + 1);
}
constexpr std::string_view without_last(std::string_view list) {
  std::size_t const at = list.rfind('@');
  return at == list.npos ? std::string_view() : list.substr(0, at);
}

/// Whether `list` starts with `first`.
constexpr bool begins_with(std::string_view list, std::string_view first) {
  if (first.empty() || list == first) return true;
  return list.size() > first.size() && list.substr(0, first.size()) == first &&
         list[first.size()] == '@';
}

/// The name after the prefix `first` of `list`; "" if `first` is not a prefix or is all of it.
constexpr std::string_view next_after(std::string_view list, std::string_view first) {
  if (list == first || !begins_with(list, first)) return {};
  std::string_view const rest = list.substr(first.empty() ? 0 : first.size() + 1);
  return rest.substr(0, (std::min)(rest.find('@'), rest.size()));
}

constexpr ReshardStep part_to_take(Sharding const& now, Sharding const& wanted) {
  FixedText const used = divided_over(now);
  for (int i = 0; i < now.shape.rank; ++i) {
    std::string_view const next = next_after(wanted[i].view(), now[i].view());
    if (!next.empty() && !lists(used.view(), next))
      return {ReshardStep::take_part, -1, i, FixedText(next)};
  }
  return {};
}

constexpr ReshardStep axis_to_exchange(Sharding const& now, Sharding const& wanted) {
  for (int from = 0; from < now.shape.rank; ++from) {
    std::string_view const last = last_of(now[from].view());
    if (last.empty() || begins_with(wanted[from].view(), now[from].view())) continue;
    for (int to = 0; to < now.shape.rank; ++to) {
      if (to != from && next_after(wanted[to].view(), now[to].view()) == last)
        return {ReshardStep::exchange, from, to, FixedText(last)};
    }
  }
  return {};
}

constexpr ReshardStep axis_to_gather(Sharding const& now, Sharding const& wanted) {
  for (int i = 0; i < now.shape.rank; ++i) {
    if (!begins_with(wanted[i].view(), now[i].view()))
      return {ReshardStep::gather, i, -1, FixedText(last_of(now[i].view()))};
  }
  return {};
}

/// The first step from one sharding to another of equal rank.
constexpr ReshardStep next_step(Sharding const& now, Sharding const& wanted) {
  ReshardStep step = part_to_take(now, wanted);
  if (step.kind == ReshardStep::done) step = axis_to_exchange(now, wanted);
  if (step.kind == ReshardStep::done) step = axis_to_gather(now, wanted);
  return step;
}

/// The sharding after a step.
constexpr Sharding after(Sharding sharding, ReshardStep const& step) {
  if (step.from >= 0) sharding[step.from] = FixedText(without_last(sharding[step.from].view()));
  if (step.to >= 0) {
    FixedText& over = sharding[step.to];
    if (!over.empty()) over.append("@");
    over.append(step.over.view());
  }
  return sharding;
}

}  // namespace tenon::internal
