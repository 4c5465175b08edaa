#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/graph/reverse.hpp>
#include <tenon/eval/graph/values.hpp>

namespace tenon::internal::graph {

TENON_RUNTIME Values::Values() { serial = LiveRecordings::enter(); }

TENON_RUNTIME Values::~Values() { LiveRecordings::leave(serial); }

TENON_RUNTIME Id Values::add(Value value) {
  values_.push_back(std::move(value));
  return {static_cast<std::uint32_t>(values_.size() - 1)};
}

TENON_RUNTIME Id Values::constant(Elements elements) { return add(value_of(std::move(elements))); }

TENON_RUNTIME Id Values::made(Elements elements, std::span<Id const> inputs,
                              Owner<Rule const> rule) {
  return add(value_of(std::move(elements)), inputs, std::move(rule));
}

TENON_RUNTIME Elements Values::elements_of(Id id) const {
  Value const& value = (*this)[id];
  return {value.element, value.extent, packed(value)};
}

TENON_RUNTIME Id Values::sum(Id x, ReducedAxes const& folding) {
  return spread(expanded(x, folding.back.extent), folding.back, folding.result);
}

TENON_RUNTIME Id Values::view(Id x, Extent const& whole, Reordering const& reordering) {
  return view(expanded(x, whole), reordering);
}

TENON_RUNTIME std::vector<std::optional<Id>> Values::gradients(std::span<Id const> results,
                                                               std::span<Id const> adjoints,
                                                               std::span<Id const> leaves) {
  Reverse reverse(results, leaves);
  for (std::size_t i = 0; i < results.size(); ++i) reverse.add(results[i], adjoints[i]);
  reverse.backward();
  std::vector<std::optional<Id>> gradients;
  for (Id const leaf : leaves) {
    Id const* const sum = reverse.of(leaf);
    gradients.push_back(sum ? std::optional(*sum) : std::nullopt);
  }
  return gradients;
}

/// The enclosing tape's adjoint of a result.
TENON_RUNTIME Id adjoint_around(Result const& result, Tape& tape) {
  Value const& value = values()[result.id];
  auto const bytes = static_cast<std::size_t>(value.extent.count()) * value.element.bytes;
  SharedBuffer const adjoint = tape.take_gradient(result.mark, bytes);
  return values().constant(
      {value.element, value.extent, result.surroundings->copied_to_device(adjoint)});
}

TENON_RUNTIME void Values::backward_around(std::span<Result const> results, Tape& tape) {
  std::vector<Id> from, adjoints, to;
  for (Result const& result : results) {
    if (!tape.has_gradient(result.mark)) continue;
    from.push_back(result.id);
    adjoints.push_back(adjoint_around(result, tape));
  }
  for (Around const& leaf : leaves_around_) to.push_back(leaf.id);
  auto const sums = gradients(from, adjoints, to);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    Around const& leaf = leaves_around_[i];
    std::optional<Id> const sum = sums[i];
    if (sum) leaf.surroundings->add(elements_of(*sum), tape, leaf.mark);
  }
}

}  // namespace tenon::internal::graph
