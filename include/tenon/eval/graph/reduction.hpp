#pragma once

#include <tenon/eval/graph/number.hpp>
#include <tenon/op/reduction.hpp>

namespace tenon::internal::graph {

template <class Op, class T>
Number<T> reduction(Number<T> x, ReducedAxes const& folding);

/// A result of a reduction, repeated along the reduced axes.
template <class T>
Number<T> back(Id result, ReducedAxes const& folding) {
  return Number<T>(Graph::current->view(result, folding.result, folding.back));
}

/// Other reductions over the operand of a reduction, for the derivatives of reductions.
template <class T>
struct Over {
  Number<T> x;
  ReducedAxes const& folding;

  template <class Op, class F>
  Number<T> operator()(Op, F const& of_value) const {
    return back<T>(reduction<Op>(of_value(x), folding).id, folding);
  }
};

template <class Op, class T>
struct ReductionOn {
  [[gnu::cold]] static void fill(std::byte* to, std::int64_t count) {
    std::fill_n(reinterpret_cast<T*>(to), count, Op::template identity<T>);
  }
  [[gnu::cold]] static void run(std::byte* to, std::int64_t to_step, std::byte const* from,
                                std::int64_t from_step, std::int64_t count) {
    T* const reduced = reinterpret_cast<T*>(to);
    T const* const x = reinterpret_cast<T const*>(from);
    for (std::int64_t i = 0; i < count; ++i)
      reduced[i * to_step] = Op::f(reduced[i * to_step], x[i * from_step]);
  }
  [[gnu::cold]] static void backward(Id self, Id input, Id adjoint, ReducedAxes const& folding,
                                     Adjoints& adjoints) {
    Number<T> const x(input), y = back<T>(self, folding);
    auto const share = Op::share(back<T>(adjoint, folding), y, Over<T>{x, folding});
    Id const whole = Graph::current->expanded(Op::backward(share, x, y).id, folding.back.extent);
    adjoints.add(input, whole);
  }
};

template <class Op, class T>
inline constexpr ReductionOp fold_op{&ReductionOn<Op, T>::fill, &ReductionOn<Op, T>::run,
                                     &ReductionOn<Op, T>::backward};

/// The product along an axis, by pairwise halving, the odd elements at the end; the axis remains
/// with size 1.
template <class T>
[[gnu::cold]] Number<T> product_along(Number<T> x, Extent extent, int axis) {
  auto const slices = [&](std::int64_t begin, std::int64_t count) {
    Reordering part{extent, {}};
    for (std::size_t i = 0; i < max_rank; ++i) part.order[i] = static_cast<std::int8_t>(i);
    at(part.extent.sizes, axis) = count;
    part.start[static_cast<std::size_t>(axis)] = begin;
    return Number<T>(Graph::current->view(x.id, extent, part));
  };
  std::vector<Number<T>> odd;
  for (std::int64_t& count = at(extent.sizes, axis); count > 1; count /= 2) {
    if (count % 2 == 1) odd.push_back(slices(count - 1, 1));
    x = slices(0, count / 2) * slices(count / 2, count / 2);
  }
  for (Number<T> const factor : odd) x = x * factor;
  return x;
}

/// A product reduction as a tree of pairwise products: derivatives of every order are exact, also
/// at zeros.
template <class T>
[[gnu::cold]] Number<T> product_of_all(Number<T> x, ReducedAxes const& folding) {
  Extent extent = folding.back.extent;
  if (extent.count() == 0)
    return Number<T>(Graph::current->expanded(Number<T>(T(1)).id, folding.result));
  for (int axis = 0; axis < extent.rank; ++axis) {
    if (folding.back.order[static_cast<std::size_t>(axis)] >= 0) continue;
    x = product_along(x, extent, axis);
    at(extent.sizes, axis) = 1;
  }
  return Number<T>(Graph::current->reshaped(x.id, folding.result));
}

template <class Op, class T>
Number<T> reduction(Number<T> x, ReducedAxes const& folding) {
  if constexpr (std::same_as<Op, op::SumReduction>)
    return Number<T>(Graph::current->sum(x.id, folding));
  else if constexpr (std::same_as<Op, op::ProdReduction>) return product_of_all(x, folding);
  else return Number<T>(Graph::current->reduction(fold_op<Op, T>, x.id, folding));
}

}  // namespace tenon::internal::graph
