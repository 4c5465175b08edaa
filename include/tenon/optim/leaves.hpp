#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <tenon/eval/evaluate_together.hpp>
#include <tenon/expr/create/like.hpp>
#include <tenon/expr/map/functions.hpp>
#include <tenon/expr/map/operators.hpp>
#include <tenon/tree/device.hpp>
#include <tenon/tree/tree.hpp>

namespace tenon::internal::optim {

/// The elements of a leaf as a vector. An update does not depend on axes, so that one kernel serves
/// all leaves of a dtype.
template <TensorType Leaf>
using Row = Tensor<typename Leaf::value_type, "n", typename Leaf::device>;

template <TensorType Leaf>
Row<Leaf> row_of(Leaf const& leaf) {
  Sizes sizes = unit_sizes();
  sizes[0] = leaf.size();
  return reshaped<Row<Leaf>>(leaf, sizes);
}

/// Sets the elements of a leaf: the value of an expression over vectors of its length.
template <TensorType Leaf, Expression Value>
void set_row(Leaf& leaf, Value const& expression) {
  leaf = reshaped<Leaf>(Row<Leaf>(expression), leaf.sizes());
}

/// Sets vectors to the values of expressions in one pass, as `eval` of these.
template <TensorType Row, std::size_t n, class... X>
void set_rows(std::array<Row*, n> const& rows, X&&... x) {
  evaluate_together(
      [&](auto&... values) {
        std::size_t i = 0;
        ((*rows[i++] = std::move(values)), ...);
      },
      std::forward<X>(x)...);
}

/// The elements of a leaf as a vector that a step changes. The leaf has none in the meantime, so
/// that results can have their memory.
template <TensorType Leaf>
class TakenRow {
 public:
  explicit TakenRow(Leaf& leaf) : row(row_of(leaf)), leaf_(leaf), sizes_(leaf.sizes()) {
    if constexpr (!Leaf::holds_elements) leaf = Leaf::adopt(SharedBuffer(), sizes_);
  }

  void put_back() { leaf_ = reshaped<Leaf>(row, sizes_); }

  Row<Leaf> row;

 private:
  Leaf& leaf_;
  Sizes sizes_;
};

template <class Leaf>
void check_leaf() {
  static_assert(std::floating_point<typename Leaf::value_type>,
                "tenon::optim: a leaf is neither float32 nor float64; take MasterWeights for one "
                "of 16 bits, or hold it in Frozen<>");
}

/// A tree like `tree` with zeros for the parameters.
template <class Tree>
Tree zeros_of(Tree const& tree) {
  return tree::map(
      []<class Leaf>(Leaf const& leaf) {
        check_leaf<Leaf>();
        return zeros_like(leaf);
      },
      tree);
}

/// The same with another number.
template <class Tree>
Tree filled_like(Tree const& tree, double value) {
  return tree::map(
      [value]<class Leaf>(Leaf const& leaf) {
        check_leaf<Leaf>();
        return full_like(leaf, static_cast<typename Leaf::value_type>(value));
      },
      tree);
}

/// A learning rate: a number, or a scalar on the device of the model, which a schedule may change
/// without a new capture of the step.
template <class R>
concept Rate = std::convertible_to<R, double> || (TensorType<R> && R::rank == 0);

template <Rate R>
double number_of(R const& rate) {
  if constexpr (TensorType<R>) return static_cast<double>(rate.item());
  else return static_cast<double>(rate);
}
template <TensorType Scalar, Rate R>
Scalar rate_tensor(R const& rate) {
  if constexpr (TensorType<R>) return Scalar(rate);
  else return Scalar(static_cast<typename Scalar::value_type>(rate));
}

/// A number as an operand of an expression over vectors: in their dtype if it is a scalar tensor.
template <TensorType Row, class Number>
auto as_number_for(Number const& number) {
  if constexpr (TensorType<Number>) return to<typename Row::value_type>(number);
  else return number;
}

/// Whether weight decay applies to a leaf. As in GPT-2: to matrices and tensors of higher rank,
/// embeddings among them; not to biases, nor to the scales of normalisations.
template <TensorType Leaf>
inline constexpr bool is_decayed = Leaf::rank >= 2;

}  // namespace tenon::internal::optim
