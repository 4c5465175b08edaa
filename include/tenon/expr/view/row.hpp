#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/view/views.hpp>

/// Indexing of one axis, which is dropped: `take<"layer">(x, 2)`, `x[2]`, `for (auto row : x)`.
/// Nothing is copied, the result is lazy.
namespace tenon::internal {

template <Axes axes, class E>
struct RowRule {
  static constexpr int axis = Chosen<axes, E>::value.axis();
  static constexpr Shape shape = removed(E::shape, axis);
  static constexpr AxisMap order = order_without(E::shape.rank, axis);
};

template <Axes axes, Expression X>
using RowMistake = typename decltype(axes_mistake<TakeName, axes, 1, StoredOperand<X>>())::type;

/// `x` at position `i` of one axis; a negative position counts from the end. Throws `IndexError`.
/// PyTorch: `select`.
template <Axes axis, Expression X, std::integral I>
  requires std::is_void_v<RowMistake<axis, X&&>>
constexpr auto take(X&& x, I i) {
  using Rule = RowRule<axis, StoredOperand<X&&>>;
  Sizes const sizes = x.sizes();
  std::int64_t const size = at(sizes, Rule::axis), place = static_cast<std::int64_t>(i);
  if (place < -size || place >= size) {
    fail<IndexError>({TakeName::name, axis_label(Unqualified<X>::shape, Rule::axis),
                      "an index below " + std::to_string(size), std::to_string(place),
                      "\"" + std::string(format(Unqualified<X>::shape).view()) + "\""});
  }
  ElementIndex start{};
  at(start, Rule::axis) = place < 0 ? place + size : place;
  return index_map<Rule>(std::forward<X>(x), view_sizes(sizes, Rule::order, Rule::shape.rank),
                         start);
}
template <Axes axis, Expression X, std::integral I, class R = RowMistake<axis, X&&>>
  requires(!std::is_void_v<R>)
auto take(X&& x, I i) -> R;

/// The end of a loop over the first axis.
struct RowEnd {
  std::int64_t place;
};

/// Iterates over the first axis of a tensor, which it stores.
template <TensorType E>
class RowIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using difference_type = std::ptrdiff_t;
  using value_type = decltype(take<0>(std::declval<E const&>(), 0));
  using pointer = void;
  using reference = value_type;

  constexpr RowIterator(E x, std::int64_t place) : x_(std::move(x)), place_(place) {}

  constexpr value_type operator*() const { return take<0>(x_, place_); }
  constexpr RowIterator& operator++() {
    ++place_;
    return *this;
  }
  constexpr RowIterator operator++(int) { return {x_, place_++}; }
  /// Requires iterators of one expression.
  friend constexpr bool operator==(RowIterator const& a, RowIterator const& b) {
    return a.place_ == b.place_;
  }
  friend constexpr bool operator==(RowIterator const& a, RowEnd b) { return a.place_ == b.place; }

 private:
  E x_;
  std::int64_t place_;
};

template <class X>
concept HasRows = Expression<X> && (X::shape.rank > 0);

/// `for (auto const& row : x)`: the slices along the first axis, as `x[i]` gives them; of a vector
/// scalars, `for (float value : v)` numbers. An expression is evaluated once, in `begin`. NumPy:
/// `for row in x`.
template <HasRows X>
constexpr auto begin(X const& x) {
  if constexpr (TensorType<X>) return RowIterator<X>(x, 0);
  else return RowIterator<TensorOf<X>>(eval(x), 0);
}
template <HasRows X>
constexpr auto end(X const& x) {
  std::int64_t const rows = at(x.sizes(), 0);
  if constexpr (TensorType<X>) return RowIterator<X>(x, rows);
  else return RowEnd{rows};
}

}  // namespace tenon::internal

namespace tenon {

using internal::take;

}  // namespace tenon
