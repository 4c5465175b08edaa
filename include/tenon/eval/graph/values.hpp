#pragma once

#include <algorithm>

#include <tenon/eval/graph/product.hpp>
#include <tenon/eval/graph/value.hpp>
#include <tenon/eval/tape/tape.hpp>

namespace tenon::graph {

/// A rule that is a function of the adjoint.
template <class F>
struct LinearRule : Rule {
  F f;
  explicit LinearRule(F of) : f(std::move(of)) {}
  [[gnu::cold]] void pull(Id self, std::span<Id const> x, Adjoints& adjoints) const override {
    f(*adjoints.of(self), self, x, adjoints);
  }
};
template <class F>
std::unique_ptr<Rule const> rule(F f) {
  return std::unique_ptr<Rule const>(new LinearRule<F>(std::move(f)));
}

/// A value of the tape around a graph.
struct Around {
  TapeMark mark;
  Id id;
  Surroundings const* surroundings;
};

/// The graph as it is: values in the order in which they were made. (A template, so that only who
/// differentiates compiles it.)
template <class Nothing>
class ValuesOf final : public Graph {
 public:
  ValuesOf() { serial = LiveRecordings::enter(); }
  ValuesOf(ValuesOf const&) = delete;
  ValuesOf& operator=(ValuesOf const&) = delete;
  ~ValuesOf() override { LiveRecordings::leave(serial); }

  /// Values of the tape around, which are leaves of the graph.
  std::vector<Around> leaves_around{};

  Value const& operator[](Id id) const { return values_[id.number]; }

  Id add(Value value) {
    values_.push_back(std::move(value));
    return {static_cast<std::uint32_t>(values_.size() - 1)};
  }
  Id add(Value value, std::span<Id const> inputs, std::unique_ptr<Rule const> rule);
  /// The same value as a leaf of its own: what came before it is its input.
  Id as_leaf(Id before);
  /// Zeros of the extent `whole`, to which each element of x is added where a reordering has it
  /// from: the reverse of a view, and sums over axes.
  Id spread(Id x, Reordering const& reordering, Extent const& whole);
  Id view(Id x, Reordering const& reordering);
  /// Zeros of the extent `whole`, to which each element is added at its position.
  Id put(Id x, Positions const& to, Extent const& whole);

  Id constant(Elements elements) override { return add(value_of(std::move(elements))); }
  Id number(Element element, void const* number) override;
  Id of_tensor(TapeMark mark, Elements elements, Surroundings const& around) override;
  Id made(Elements elements, std::span<Id const> inputs,
          std::unique_ptr<Rule const> rule) override {
    return add(value_of(std::move(elements)), inputs, std::move(rule));
  }
  Elements elements_of(Id id) const override {
    Value const& value = (*this)[id];
    return {value.element, value.extent, packed(value)};
  }
  bool varies(Id id) const override { return (*this)[id].varies; }

  Id map(MapOp const& op, std::span<Id> x) override;
  Id map(MapOp const& op, std::span<Id> x, AxisMap const* maps, Extent const& extent) override;
  Id sum(Id x, Folding const& folding) override {
    return spread(expanded(x, folding.back.extent), folding.back, folding.result);
  }
  Id fold(FoldOp const& op, Id x, Folding const& folding) override;
  Id product(Id a, Id b, Contracting const& contracting, Extent const& result) override;
  Id view(Id x, Extent const& whole, Reordering const& reordering) override {
    return view(expanded(x, whole), reordering);
  }
  Id expanded(Id x, Extent const& to) override;
  Id reshaped(Id x, Extent const& to) override;
  Id take(Id x, Positions const& from, Extent const& extent) override;
  Id boxes(Elements whole, std::span<Id const> parts, std::vector<Reordering> boxes) override;
  Id origins(Elements whole, std::span<Id const> inputs, std::span<Origin> origins) override;

 private:
  std::vector<Value> values_;
};

using Values = ValuesOf<void>;

/// The graph of this thread.
inline Values& values() { return static_cast<Values&>(*Graph::current); }

}  // namespace tenon::graph
