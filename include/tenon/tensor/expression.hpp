#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <tenon/core/broadcast.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/format.hpp>
#include <tenon/core/shape.hpp>
#include <tenon/tensor/device.hpp>
#include <tenon/tensor/index.hpp>

namespace tenon {

/// A tensor, or a recipe for one: it knows its dtype, its device and its axes.
template <class E>
concept ExpressionType = requires(E const& e) {
  typename E::value_type;
  typename E::device;
  { E::shape } -> std::convertible_to<Shape>;
  { e.sizes() } -> std::convertible_to<Sizes>;
};

/// The same for a deduced `E&&`.
template <class E>
concept Expression = ExpressionType<std::remove_cvref_t<E>>;

/// `E` as a value: without reference and const.
template <class E>
using Plain = std::remove_cvref_t<E>;

/// May a value of `From` be kept in a `To`? Same dtype and device, axes that agree one by one.
template <class To, class From>
concept Assignable = std::same_as<typename To::value_type, typename From::value_type> &&
                     (std::same_as<typename From::device, AnyDevice> ||
                      std::same_as<typename To::device, typename From::device>) &&
                     assignable(To::shape, From::shape);

/// Throws `Error` unless every entry of `index` names an element.
constexpr void check_index(Index const& index, Sizes const& sizes, int rank) {
  for (int i = 0; i < rank; ++i) {
    if (at(index, i) < 0 || at(index, i) >= at(sizes, i)) {
      throw Error("tenon::element: axis " + std::to_string(i) + ": expected an index below " +
                  std::to_string(at(sizes, i)) + ", got " + std::to_string(at(index, i)));
    }
  }
}

template <class T, Spec S, class D = Cpu>
  requires Canonical<S>
class Tensor;

/// What every recipe offers to its user. `element` is found where evaluation is defined.
template <class Derived>
struct Node {
  /// The element at a position, one index for each axis.
  template <std::integral... I>
  constexpr auto operator()(I... indices) const {
    static_assert(sizeof...(I) == static_cast<std::size_t>(Derived::shape.rank),
                  "tenon: one index for each axis");
    Derived const& self = static_cast<Derived const&>(*this);
    Index const index{static_cast<std::int64_t>(indices)...};
    check_index(index, self.sizes(), Derived::shape.rank);
    return access(self, index);
  }

  /// The one element of a scalar, as in PyTorch.
  constexpr auto item() const {
    static_assert(Derived::shape.rank == 0, "tenon: item() is for scalars; name an element");
    return (*this)();
  }
};

}  // namespace tenon
