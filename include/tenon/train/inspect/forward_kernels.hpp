#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/autodiff/grad.hpp>
#include <tenon/core/rules/contraction.hpp>
#include <tenon/eval/custom.hpp>
#include <tenon/eval/tracing/text.hpp>
#include <tenon/tensor/tracing.hpp>
#include <tenon/tree/walk.hpp>

/// The kernels that a model runs for one input, and the parameters that each of them reads.
namespace tenon::internal::training {

/// Paths of parameters.
using Paths = std::vector<std::string>;

/// Whether one of some parameters is in the field `field`; all are in the field "".
inline bool any_within(std::string_view field, Paths const& parameters) {
  return std::ranges::any_of(parameters, [&](std::string const& name) {
    return field.empty() || name == field ||
           (name.starts_with(field) && name.at(field.size()) == '.');
  });
}

/// A kernel of a forward pass.
struct ForwardKernel {
  Paths parameters{};              ///< Those that it reads, with other tensors.
  Paths factors{};                 ///< Those among them that its contractions multiply.
  std::string sizes{};             ///< Of its result: "(32, 10)".
  std::int64_t multiply_adds = 0;  ///< Of its contractions.
  std::int64_t bytes = 0;          ///< Of its result.
};

/// The multiplications of one contraction: the product of the sizes of its labels.
inline std::int64_t own_multiply_adds(ir::Node node) {
  LabelExtents const extents = node.extents();
  std::int64_t product = 1;
  for (int label = 0; label < node->contraction->labels; ++label)
    product *= extents[static_cast<std::size_t>(label)];
  return product;
}

inline std::int64_t multiply_adds(ir::Node node) {
  std::int64_t sum = node.is(NodeKind::product) ? own_multiply_adds(node) : 0;
  node.each([&](ir::Node operand) { sum += multiply_adds(operand); });
  return sum;
}

/// Records the kernels of this thread, which are recorded on `tape`. `parameters` are the paths of
/// those behind each mark: one for a parameter, several for a tensor that is computed from
/// parameters alone, such as one in another dtype or order of axes.
class ForwardObserver final : public Observer {
 public:
  using Marked = std::map<std::uint32_t, Paths>;

  ForwardObserver(Tape const& tape, Marked parameters)
      : tape_(tape), parameters_(std::move(parameters)) {}

  void ran(ObservedKernel const& kernel) override {
    if (kernel.values.empty() || kernel.expression.type() == nullptr) return;
    ObservedValue const& result = kernel.values.front();
    ForwardKernel found{{},
                        {},
                        tracing::sizes_text(result.sizes, result.rank),
                        training::multiply_adds(kernel.expression),
                        result.bytes};
    bool const reads_others = add_parameters(kernel.expression, false, found);
    auto const slot = tape_.next_slot().slot;  // of the result, if it is recorded
    parameters_.erase(slot);
    if (!reads_others) parameters_[slot] = std::exchange(found.parameters, {});
    kernels.push_back(std::move(found));
  }

  std::vector<ForwardKernel> kernels{};

 private:
  /// Adds the parameters that a node reads. Returns whether it reads other tensors.
  bool add_parameters(ir::Node node, bool is_factor, ForwardKernel& to) const {
    if (node.is_leaf()) return !add_leaf(node.mark(), is_factor, to);
    bool reads_others = false;
    is_factor = is_factor || node.is(NodeKind::product);
    node.each([&](ir::Node operand) {
      reads_others = add_parameters(operand, is_factor, to) || reads_others;
    });
    return reads_others;
  }
  /// Returns whether the tensor is one of the parameters, or computed from them.
  bool add_leaf(TapeMark mark, bool is_factor, ForwardKernel& to) const {
    auto const found = parameters_.find(mark.slot);
    if (mark.tape != tape_.next_slot().tape || found == parameters_.end()) return false;
    Paths const& paths = found->second;
    to.parameters.insert(to.parameters.end(), paths.begin(), paths.end());
    if (is_factor) to.factors.insert(to.factors.end(), paths.begin(), paths.end());
    return true;
  }

  Tape const& tape_;
  Marked parameters_;
};

/// An input as a constant.
template <class X>
auto unmarked_input(X const& x) {
  constexpr bool has_marks = TensorType<X> || !Expression<X>;
  if constexpr (has_marks && tree::is_well_formed<tree::Learned, X>()) return unmarked_leaves(x);
  else return x;
}

/// Evaluates an expression, those in a tuple, and nothing else.
template <class X>
void evaluate_all(X&& x) {
  if constexpr (tree::is_tuple<Unqualified<X>>)
    std::apply([](auto&&... parts) { (evaluate_all(parts), ...); }, x);
  else (void)as_value(std::forward<X>(x));
}

/// The kernels of `model(input...)`, in order. Like a training step it records them.
template <class Model, class... Input>
std::vector<ForwardKernel> forward_kernels(Model model, Input const&... input) {
  Unrecorded const paused;
  Tape tape;
  ForwardObserver::Marked parameters;
  auto const mark = [&](tree::Path const& path, auto& leaf) {
    leaf.set_mark(tape.new_slot());
    parameters[leaf.mark().slot] = {path.text()};
  };
  tree::for_each<LearnedOrFrozen>(mark, model);
  ForwardObserver observer(tape, std::move(parameters));
  evaluate_all(std::as_const(model)(unmarked_input(input)...));
  return std::move(observer.kernels);
}

}  // namespace tenon::internal::training
