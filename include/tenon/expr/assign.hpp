#pragma once

#include <tenon/expr/create/create.hpp>
#include <tenon/expr/join/set.hpp>
#include <tenon/tensor/unfit.hpp>
#include <tenon/tensor/view.hpp>

namespace tenon::internal {

/// The return type of an assignment from `E` to a view `V`: void, or an undefined type that names
/// the error.
template <class V, class E>
constexpr auto assign_type() {
  if constexpr (Assignable<V, E>) return std::type_identity<void>{};
  else return unfit_value<V, E>();
}

template <class V, Expression X>
using Assigned = typename decltype(assign_type<V, Unqualified<X>>())::type;

/// Writes the value of `e` through a view. Does not broadcast. If `e` reads memory that the view
/// covers, it is computed first, from the old values. Throws `ShapeError` where run-time sizes
/// differ, `Error` for recorded values. PyTorch: `copy_`.
template <class T, Spec S, class D, Expression X>
auto assign(MutableView<T, S, D> const& to, X&& e) -> Assigned<View<T, S, D>, X> {
  Sizes const wanted = to.sizes(), got = e.sizes();
  for (int i = 0; i < to.rank; ++i) {
    if (at(wanted, i) != at(got, i)) sizes_differ("assign", S.view(), i, at(wanted, i), at(got, i));
  }
  write_through(to, hold(std::forward<X>(e)));
}

/// Writes a number to every element.
template <class T, Spec S, class D, LiteralNumber V>
  requires std::constructible_from<T, V>
void assign(MutableView<T, S, D> const& to, V value) {
  ElementIndex index{};
  if (to.size() == 0) return;
  if constexpr (!D::is_host)
    return write_through(to, filled(Tensor<T, S, D>::uninitialised(to.sizes()), T(value)));
  do {
    to.mutable_data()[offset(to.strides(), index, to.rank)] = static_cast<T>(value);
  } while (next(index, to.sizes(), to.rank));
}

}  // namespace tenon::internal

namespace tenon {

using internal::assign;

}  // namespace tenon
