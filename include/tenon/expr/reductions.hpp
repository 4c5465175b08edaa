#pragma once

#include <tenon/expr/fold.hpp>
#include <tenon/expr/functions.hpp>

/// Reductions over named axes, `sum<"height width">(x)`, over one by index, `sum<-1>(x)`, or over
/// all, `sum(x)`. They drop their axes; with `keep` they leave them with size 1.
namespace tenon {

/// Sum. Of nothing: 0. PyTorch: `sum`.
template <Axes axes = every, Expression X>
constexpr auto sum(X&& x) -> Folded<op::SumFold, axes, false, X&&> {
  return fold<op::SumFold, axes>(std::forward<X>(x));
}
template <Axes axes = every, Expression X>
constexpr auto sum(X&& x, Keep) -> Folded<op::SumFold, axes, true, X&&> {
  return fold<op::SumFold, axes, true>(std::forward<X>(x));
}

/// The largest; NaN if there is one. PyTorch: `amax`.
template <Axes axes = every, Expression X>
constexpr auto max(X&& x) -> Folded<op::MaxFold, axes, false, X&&> {
  return fold<op::MaxFold, axes>(std::forward<X>(x));
}
template <Axes axes = every, Expression X>
constexpr auto max(X&& x, Keep) -> Folded<op::MaxFold, axes, true, X&&> {
  return fold<op::MaxFold, axes, true>(std::forward<X>(x));
}

/// The smallest; NaN if there is one. PyTorch: `amin`.
template <Axes axes = every, Expression X>
constexpr auto min(X&& x) -> Folded<op::MinFold, axes, false, X&&> {
  return fold<op::MinFold, axes>(std::forward<X>(x));
}
template <Axes axes = every, Expression X>
constexpr auto min(X&& x, Keep) -> Folded<op::MinFold, axes, true, X&&> {
  return fold<op::MinFold, axes, true>(std::forward<X>(x));
}

/// Is any element of a mask true? PyTorch: `any`.
template <Axes axes = every, Expression X>
constexpr auto any(X&& x) -> Folded<op::AnyFold, axes, false, X&&> {
  return fold<op::AnyFold, axes>(std::forward<X>(x));
}

/// Are all elements of a mask true? PyTorch: `all`.
template <Axes axes = every, Expression X>
constexpr auto all(X&& x) -> Folded<op::AllFold, axes, false, X&&> {
  return fold<op::AllFold, axes>(std::forward<X>(x));
}

/// The position of the largest along an axis (along all: in row-major order), as int32; the first
/// among equals, the first NaN if there is one. Throws `ValueError` for an empty axis.
template <Axes axes = every, Expression X>
constexpr auto argmax(X&& x) -> Folded<op::ArgmaxFold, axes, false, X&&> {
  return fold<op::ArgmaxFold, axes>(std::forward<X>(x));
}
template <Axes axes = every, Expression X>
constexpr auto argmin(X&& x) -> Folded<op::ArgminFold, axes, false, X&&> {
  return fold<op::ArgminFold, axes>(std::forward<X>(x));
}

/// How many elements of `x` are folded into one.
template <Axes axes, class X>
constexpr std::int64_t folded_elements(X const& x) {
  Sizes const sizes = x.sizes();
  std::int64_t number = 1;
  for (int i = 0; i < X::shape.rank; ++i) {
    if (Chosen<axes, X>::value[i]) number *= at(sizes, i);
  }
  return number;
}

/// The dtype in which `x` is averaged: masks and integers count as `float`.
template <Expression X>
constexpr decltype(auto) as_floating(X&& x) {
  if constexpr (InexactType<typename Plain<X>::value_type>) return std::forward<X>(x);
  else return to<float>(std::forward<X>(x));
}

template <class X>
using Floating = std::remove_cvref_t<decltype(as_floating(std::declval<X>()))>;

template <Axes axes, bool keeps, class X>
constexpr auto mean_of(X&& x) {
  auto const number = static_cast<typename Floating<X>::value_type>(folded_elements<axes>(x));
  return fold<op::SumFold, axes, keeps>(as_floating(std::forward<X>(x))) / number;
}

/// Mean; of nothing: NaN. Masks and integers are averaged as `float`. PyTorch: `mean`.
template <Axes axes = every, Expression X>
  requires(Chosen<axes, Plain<X>>::ok)
constexpr auto mean(X&& x) {
  return mean_of<axes, false>(std::forward<X>(x));
}
template <Axes axes = every, Expression X>
  requires(Chosen<axes, Plain<X>>::ok)
constexpr auto mean(X&& x, Keep) {
  return mean_of<axes, true>(std::forward<X>(x));
}
template <Axes axes = every, Expression X>
  requires(!Chosen<axes, Plain<X>>::ok)
constexpr auto mean(X&& x) -> ChoiceMistake<op::MeanReduction, axes, Plain<X>>;

/// Variance, the mean of squared distances from the mean (NumPy's: divided by n, not n - 1).
/// PyTorch: `var(correction=0)`.
template <Axes axes = every, Expression X>
  requires(Chosen<axes, Plain<X>>::ok)
constexpr auto var(X&& x) {
  auto const& named = x;
  return mean<axes>(square(named - mean<axes>(named, keep)));
}
template <Axes axes = every, Expression X>
  requires(Chosen<axes, Plain<X>>::ok)
constexpr auto var(X&& x, Keep) {
  auto const& named = x;
  return mean<axes>(square(named - mean<axes>(named, keep)), keep);
}
template <Axes axes = every, Expression X>
  requires(!Chosen<axes, Plain<X>>::ok)
constexpr auto var(X&& x) -> ChoiceMistake<op::VarianceReduction, axes, Plain<X>>;

}  // namespace tenon
