#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/autodiff/differentiate.hpp>
#include <tenon/core/rules/contraction.hpp>
#include <tenon/eval/custom.hpp>
#include <tenon/eval/tracing/text.hpp>
#include <tenon/tensor/observer.hpp>
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

/// The sizes of an operand of a contraction: a tensor, or a view of one.
inline Sizes contracted_sizes(tracing::Node node) {
  if (node->leaf != nullptr) return node->leaf->sizes(node.address);
  auto const* const sizes = node.address + node->sizes;
  if (node->kind == NodeKind::step) return *reinterpret_cast<Sizes const*>(sizes);
  if (node->kind != NodeKind::index_map) return unit_sizes();
  return sizes_among(*node->shape, reinterpret_cast<std::int64_t const*>(sizes));
}

/// The multiplications of one contraction: the product of the sizes of its labels.
inline std::int64_t own_multiply_adds(tracing::Node node) {
  Contraction const& rule = *node->contraction;
  LabelExtents extents{};
  for (std::int64_t& extent : extents) extent = 1;
  auto const take = [&](tracing::Node operand, AxisMap const& labels) {
    Sizes const sizes = contracted_sizes(operand);
    for (int i = 0; i < operand->rank; ++i) {
      auto& extent = extents[static_cast<std::size_t>(labels[static_cast<std::size_t>(i)])];
      extent = (std::max)(extent, at(sizes, i));
    }
  };
  take(tracing::operand_of(node, 0), rule.left);
  take(tracing::operand_of(node, 1), rule.right);
  std::int64_t product = 1;
  for (std::int64_t const extent : extents) product *= extent;
  return product;
}

inline std::int64_t multiply_adds(tracing::Node node) {
  std::int64_t sum = node->kind == NodeKind::product ? own_multiply_adds(node) : 0;
  for (std::size_t k = 0; k < node->operand_count; ++k)
    sum += multiply_adds(tracing::operand_of(node, k));
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
    if (kernel.values.empty() || kernel.expression.type == nullptr) return;
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
  bool add_parameters(tracing::Node node, bool is_factor, ForwardKernel& to) const {
    bool reads_others = node->kind == NodeKind::earlier;
    is_factor = is_factor || node->kind == NodeKind::product;
    for (std::size_t k = 0; k < node->operand_count; ++k)
      reads_others = add_parameters(tracing::operand_of(node, k), is_factor, to) || reads_others;
    return node->leaf == nullptr ? reads_others : !add_leaf(tracing::mark_of(node), is_factor, to);
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
