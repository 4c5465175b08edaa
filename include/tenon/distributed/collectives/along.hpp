#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <tenon/distributed/collectives/recorded.hpp>
#include <tenon/distributed/communication/agree.hpp>
#include <tenon/distributed/communication/exchange.hpp>
#include <tenon/expr/map/mapped.hpp>
#include <tenon/expr/view/views.hpp>

/// The effect of collectives along an axis on a tensor's spec. The axis keeps its name; its size
/// changes and is known only at run time: `n=_`.
namespace tenon::internal::mpi {

/// `E` with one or two axes resized.
template <Axes first, Axes second, class E>
struct ResizedRule {
  static constexpr int axis = Chosen<first, E>::value.axis();
  static constexpr int other = Chosen<second, E>::value.axis();
  static constexpr Shape once = with_axis(E::shape, axis, unrelated_axis(E::shape[axis].name));
  static constexpr Shape shape = with_axis(once, other, unrelated_axis(E::shape[other].name));
};

template <class Name, Axes first, Axes second, class E>
constexpr auto resized_type() {
  using one = typename decltype(axes_mistake<Name, first, 1, E>())::type;
  using two = typename decltype(axes_mistake<Name, second, 1, E>())::type;
  if constexpr (!std::is_void_v<one>) return std::type_identity<one>{};
  else if constexpr (!std::is_void_v<two>) return std::type_identity<two>{};
  else
    return std::type_identity<Tensor<typename E::value_type, spec_of<ResizedRule<first, second, E>>,
                                     typename E::device>>{};
}

/// The result type of a collective along an axis, or an undefined type that names the error.
template <class Name, Axes axis, Expression X, Axes other = axis>
using Resized = typename decltype(resized_type<Name, axis, other, Unqualified<X>>())::type;

/// The call of a collective on a tensor; the size along the given axis may differ between ranks.
template <TensorType X>
Call call_of(std::string_view operation, std::string_view detail, X const& x, SourceLocation where,
             int root = -1, int axis = -1) {
  using T = typename X::value_type;
  Call call{operation, detail, dtype_name<T>, X::spec.view(), x.sizes(), X::rank, root, where};
  if (axis >= 0) at(call.sizes, axis) = dynamic;
  return call;
}

/// The call of its backward.
inline Call gradient_of(Call call) {
  call.is_gradient = true;
  call.is_recorded = false;
  return call;
}

inline Sizes with_size(Sizes sizes, int axis, std::int64_t size) {
  at(sizes, axis) = size;
  return sizes;
}

/// The partition of an axis of a tensor among the ranks of a group.
struct Division {
  Group group;
  int axis = 0;
  std::vector<std::int64_t> parts;

  std::size_t rank() const { return static_cast<std::size_t>(group.rank()); }
  Sizes whole(Sizes const& sizes) const { return with_size(sizes, axis, sum_of(parts)); }
  Sizes own(Sizes const& sizes) const { return with_size(sizes, axis, parts[rank()]); }
};

/// The shards of all ranks, concatenated along the axis.
template <TensorType R, TensorType X>
R gathered(X const& x, Division const& by) {
  Sizes const sizes = by.whole(x.sizes());
  R result = R::uninitialised(sizes);
  Cut const cut(sizes, R::rank, by.axis);
  auto const counts = counts_of(by.parts, cut.entry());
  if (cut.outer == 1) return all_gather(x.data(), result.own_memory(), counts, by.group), result;
  auto const all = room_for<typename X::value_type>(result.size());
  all_gather(x.data(), all.get(), counts, by.group);
  join(all.get(), result.own_memory(), by.parts, cut);
  return result;
}

/// The shard of this rank.
template <TensorType R, TensorType X>
R part(X const& x, Division const& by) {
  R result = R::uninitialised(by.own(x.sizes()));
  cut_out(x.data(), result.own_memory(), by.parts, by.rank(), Cut(x.sizes(), X::rank, by.axis));
  return result;
}

/// The shard of this rank of the sum over all ranks.
template <TensorType R, TensorType X>
R reduced_part(X const& x, Division const& by) {
  R result = R::uninitialised(by.own(x.sizes()));
  Cut const cut(x.sizes(), X::rank, by.axis);
  auto const counts = counts_of(by.parts, cut.entry());
  auto* const to = result.own_memory();
  if (cut.outer == 1) return reduce_scatter<op::sum>(x.data(), to, counts, by.group), result;
  auto const all = room_for<typename X::value_type>(x.size());
  split(x.data(), all.get(), by.parts, cut);
  reduce_scatter<op::sum>(all.get(), to, counts, by.group);
  return result;
}

/// Zeros with the sizes of a tensor.
template <TensorType X>
X zeros_as(X const& x) {
  X result = X::uninitialised(x.sizes());
  std::fill_n(result.own_memory(), x.size(), typename X::value_type{});
  return result;
}

}  // namespace tenon::internal::mpi
