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
  Id boxes(Elements whole, std::span<Id const> parts, std::vector<Reordering> boxes) override;
  Id origins(Elements whole, std::span<Id const> inputs, std::span<Origin> origins) override;

 private:
  std::vector<Value> values_;
  std::vector<Around> leaves_around_{};
};

/// The graph of this thread.
inline Values& values() { return static_cast<Values&>(*Graph::current); }

}  // namespace tenon::internal::graph

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/graph/values.ipp>
#include <tenon/eval/graph/values.linear.ipp>
#include <tenon/eval/graph/values.mapped.ipp>
#include <tenon/eval/graph/values.reverse.ipp>
#endif
