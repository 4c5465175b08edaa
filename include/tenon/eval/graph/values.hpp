#pragma once

#include <algorithm>

#include <tenon/eval/graph/product.hpp>
#include <tenon/eval/graph/value.hpp>
#include <tenon/eval/tape/tape.hpp>

namespace tenon::internal::graph {

/// A value of the enclosing tape.
struct Around {
  TapeMark mark;
  Id id;
  Surroundings const* surroundings;
};

/// The graph: values in the order in which they were computed.
class Values final : public Graph {
 public:
  Values();
  Values(Values const&) = delete;
  Values& operator=(Values const&) = delete;
  ~Values() override;

  Value const& operator[](Id id) const { return values_[id.number]; }

  std::size_t count() const { return values_.size(); }
  /// Drops all values but the first `count`.
  void shrink(std::size_t count) {
    values_.erase(values_.begin() + std::ptrdiff_t(count), values_.end());
  }

  Id add(Value value);
  Id add(Value value, std::span<Id const> inputs, Owner<Rule const> rule);
  /// Zeros of the extent `whole`, to which each element of x is added at the element that a
  /// reordering reads it from: the adjoint of a view, and sums over axes.
  Id spread(Id x, Reordering const& reordering, Extent const& whole);
  Id view(Id x, Reordering const& reordering);
  /// Zeros of the extent `whole`, to which each element is added at its position.
  Id put(Id x, Positions const& to, Extent const& whole);

  Id constant(Elements elements) override;
  Id number(Element element, void const* number) override;
  Id of_tensor(TapeMark mark, Elements elements, Surroundings const& around) override;
  Id made(Elements elements, std::span<Id const> inputs, Owner<Rule const> rule) override;
  Elements elements_of(Id id) const override;
  bool varies(Id id) const override { return (*this)[id].varies; }
  Id as_leaf(Id before) override;
  std::vector<std::optional<Id>> gradients(std::span<Id const> results,
                                           std::span<Id const> adjoints,
                                           std::span<Id const> leaves) override;
  bool has_leaves_around() const override { return !leaves_around_.empty(); }
  void backward_around(std::span<Result const> results, Tape& tape) override;

  Id map(MapOp const& op, std::span<Id> x) override;
  Id map(MapOp const& op, std::span<Id> x, AxisMap const* maps, Extent const& extent) override;
  Id sum(Id x, ReducedAxes const& folding) override;
  Id reduction(ReductionOp const& op, Id x, ReducedAxes const& folding) override;
  Id product(Id a, Id b, Contracting const& contracting, Extent const& result) override;
  Id view(Id x, Extent const& whole, Reordering const& reordering) override;
  Id expanded(Id x, Extent const& to) override;
  Id reshaped(Id x, Extent const& to) override;
  Id take(Id x, Positions const& from, Extent const& extent) override;
  Id boxes(Elements whole, std::span<Id const> parts, std::span<Reordering const> boxes) override;
  Id origins(Elements whole, std::span<Id const> inputs, std::span<Origin> origins) override;

 private:
  std::vector<Value> values_;
  std::vector<Around> leaves_around_{};
};

/// The graph of this thread.
inline Values& values() { return static_cast<Values&>(*Graph::current); }

}  // namespace tenon::internal::graph

#if TENON_DEFINES_RUNTIME

#include <tenon/core/config.hpp>
#include <tenon/eval/graph/number.hpp>
#include <tenon/eval/graph/reverse.hpp>
#include <tenon/eval/graph/values.linear.ipp>
#include <tenon/eval/graph/values.mapped.ipp>

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

TENON_RUNTIME Reverse::Reverse(std::span<Id const> results, std::span<Id const> leaves) {
  first_ = last_ = leaves.empty() ? 0 : leaves[0].number;
  for (Id const leaf : leaves) first_ = (std::min)(first_, leaf.number);
  for (Id const result : results) last_ = (std::max)(last_, result.number + 1);
  for (Id const leaf : leaves) last_ = (std::max)(last_, leaf.number + 1);
  between_.resize(last_ - first_);
  for (Id const leaf : leaves) between_[leaf.number - first_].is_leaf = true;
  for (std::uint32_t i = first_; i < last_; ++i) {
    Between& value = between_[i - first_];
    value.depends = value.is_leaf;
    for (Id const input : values()[{i}].inputs) value.depends = value.depends || wants(input);
  }
}

TENON_RUNTIME Id sum_of(Id a, Id b) {
  if (values()[a].element.is_float) return (Number<float>(a) + Number<float>(b)).id;
  return (Number<double>(a) + Number<double>(b)).id;
}

TENON_RUNTIME void Reverse::add(Id value, Id share, std::size_t part) {
  if (!wants(value)) return;
  std::vector<Sum>& parts = between_[value.number - first_].parts;
  if (parts.size() <= part) parts.resize(part + 1);
  Sum& sum = parts[part];
  sum = {sum.is_there ? sum_of(sum.id, share) : share, true};
}

TENON_RUNTIME Id const* Reverse::of(Id value, std::size_t part) const {
  if (!wants(value)) return nullptr;
  std::vector<Sum> const& parts = between_[value.number - first_].parts;
  return part < parts.size() && parts[part].is_there ? &parts[part].id : nullptr;
}

TENON_RUNTIME void Reverse::backward() {
  for (std::uint32_t i = last_; i-- > first_;) {
    Between const& value = between_[i - first_];
    if (value.parts.empty() || value.is_leaf) continue;
    std::vector<Id> const inputs = values()[{i}].inputs;
    if (Rule const* const rule = values()[{i}].rule.get()) rule->backward({i}, inputs, *this);
  }
}

}  // namespace tenon::internal::graph

#endif
