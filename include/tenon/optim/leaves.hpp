#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include <tenon/eval/evaluate_together.hpp>
#include <tenon/expr/create/like.hpp>
#include <tenon/expr/map/functions.hpp>
#include <tenon/expr/map/operators.hpp>
#include <tenon/expr/places.hpp>
#include <tenon/tree/device.hpp>
#include <tenon/tree/tree.hpp>

namespace tenon::internal::optim {

/// The elements of a leaf as a vector. An update does not depend on axes, so that one kernel serves
/// all leaves of a dtype.
template <TensorType Leaf>
using Row = Tensor<typename Leaf::value_type, "n", typename Leaf::device>;
/// The real and imaginary parts of the elements of a complex leaf, in turn, as a vector. PyTorch:
/// `view_as_real`.
template <TensorType Leaf>
using Parts = Tensor<RealPartOf<typename Leaf::value_type>, "n", typename Leaf::device>;

/// A reference to a leaf without its axes: what a step does with it is compiled once for a dtype.
/// (Of a gradient it is only read.)
class LeafRef {
 public:
  template <TensorType Leaf>
  explicit LeafRef(Leaf const& leaf)
      : mark_(place<TapeMark>(leaf, TensorPlaces::mark<Leaf>)), size_(leaf.size()) {
    if constexpr (Leaf::holds_elements)
      elements_ = const_cast<typename Leaf::value_type*>(leaf.storage().data());
    else buffer_ = const_cast<SharedBuffer*>(&leaf.storage().buffer);
  }

  /// The same memory as the parts of complex numbers.
  LeafRef in_parts() const {
    LeafRef parts = *this;
    parts.size_ *= 2;
    return parts;
  }

  std::int64_t size() const { return size_; }
  TapeMark mark() const { return *mark_; }
  void set_mark(TapeMark mark) const { *mark_ = mark; }
  /// Where the elements are; null if they are in the object of the tensor.
  SharedBuffer* buffer() const { return buffer_; }
  /// Throws `Error` for a tensor that was moved from.
  void* elements() const {
    if (buffer_ == nullptr) return elements_;
    if (!*buffer_ && size_ > 0) refuse_moved_from();
    return buffer_->data();
  }

  template <TensorType Row>
  Row row() const {
    Sizes const sizes = first_sizes(size_);
    if (buffer_ != nullptr) return Row::adopt(*buffer_, sizes, mark());
    Row row = Row::uninitialised(sizes);
    if constexpr (Row::device::is_host) std::memcpy(row.own_memory(), elements_, bytes(row));
    row.set_mark(mark());
    return row;
  }
  /// The same, which a step changes. The leaf has no elements in the meantime, so that results can
  /// have their memory.
  template <TensorType Row>
  Row take_row() const {
    Row taken = row<Row>();
    if (buffer_ != nullptr) *buffer_ = SharedBuffer(), set_mark({});
    return taken;
  }
  template <TensorType Row>
  void put_back(Row const& row) const {
    if (buffer_ != nullptr) *buffer_ = row.storage().buffer;
    else if constexpr (Row::device::is_host)
      std::memcpy(elements_, stored_elements(row), bytes(row));
    set_mark(row.mark());
  }

 private:
  template <class Part, class Leaf>
  static Part* place(Leaf const& leaf, std::size_t offset) {
    auto* const object = reinterpret_cast<std::byte*>(const_cast<Leaf*>(&leaf));
    return reinterpret_cast<Part*>(object + offset);
  }
  template <class Row>
  static std::size_t bytes(Row const& row) {
    return static_cast<std::size_t>(row.size()) * sizeof(typename Row::value_type);
  }

  SharedBuffer* buffer_ = nullptr;
  void* elements_ = nullptr;
  TapeMark* mark_;
  std::int64_t size_;
};

template <TensorType Leaf>
Row<Leaf> row_of(Leaf const& leaf) {
  return LeafRef(leaf).row<Row<Leaf>>();
}

template <TensorType Leaf>
Parts<Leaf> parts_of(Leaf const& leaf) {
  auto parts = LeafRef(leaf).in_parts().template row<Parts<Leaf>>();
  parts.set_mark({});  // which is that of complex numbers
  return parts;
}

/// Sets the elements of a leaf: the value of an expression over vectors of its length.
template <TensorType Leaf, Expression Value>
void set_row(Leaf& leaf, Value const& expression) {
  LeafRef(leaf).put_back(Row<Leaf>(expression));
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

template <class Leaf>
void check_leaf() {
  static_assert(std::floating_point<RealPartOf<typename Leaf::value_type>>,
                "tenon::optim: a leaf is neither float32 nor float64; take MasterWeights for one "
                "of 16 bits, or hold it in Frozen<>");
}
template <class Leaf>
void check_real_leaf() {
  check_leaf<Leaf>();
  static_assert(!ComplexType<typename Leaf::value_type>,
                "tenon::optim: a leaf is complex; SGD and AdamW take it, LBFGS, Muon and ZeRO do "
                "not; hold it in Frozen<>");
}

/// A number as an element of a leaf; of a complex one, both parts.
template <class T>
T element_of(double value) {
  auto const part = static_cast<RealPartOf<T>>(value);
  if constexpr (ComplexType<T>) return T(part, part);
  else return part;
}

/// A tree like `tree` with another number for all elements of the parameters.
template <class Tree>
Tree filled_like(Tree const& tree, double value) {
  return tree::map(
      [value]<class Leaf>(Leaf const& leaf) {
        check_leaf<Leaf>();
        return full_like(leaf, element_of<typename Leaf::value_type>(value));
      },
      tree);
}
template <class Tree>
Tree zeros_of(Tree const& tree) {
  return filled_like(tree, 0);
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
