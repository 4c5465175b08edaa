#pragma once

#include <concepts>
#include <cstdint>
#include <utility>

#include <tenon/numeric/fft.hpp>

/// Transforms along several axes of real numbers, and transforms that are real.
namespace tenon::internal::fft {

using RfftnName = Transform<"rfftn", RealToComplex, 0>;
using IrfftnName = Transform<"irfftn", ComplexToReal, 0>;
using HfftName = TransformAlong<"hfft", ComplexToReal>;
using IhfftName = TransformAlong<"ihfft", RealToComplex>;

/// The last of some axes, whose transform is stored as its first half; the first axis where there
/// are none.
template <Axes axes, class E>
inline constexpr Axes last_axis = [] {
  int last = 0;
  for (int i = 0; i < E::shape.rank; ++i)
    if (Chosen<axes, E>::value[i]) last = i;
  return Axes(last);
}();

/// The tensor that a transform returns which halves or restores the last of some axes.
template <class Name, Axes axes, Resize resize, std::int64_t size, class E>
constexpr auto half_fft_type() {
  using mistake = typename decltype(number_mistake<Name, axes, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else return fft_type<Name, last_axis<axes, E>, resize, size, E>();
}
template <class Name, Axes axes, Expression X, Resize resize, std::int64_t size = 0>
using HalvedFftOf =
    typename decltype(half_fft_type<Name, axes, resize, size, StoredOperand<X>>())::type;

/// `rfft` along the last of some axes of the tensor, by default of all, and `fft` along the others:
/// "height=8 width=8" gives "height=8 width=5". NumPy, PyTorch, JAX: `fft.rfftn`, `fft.rfft2`.
template <Axes axes = every, Expression X,
          WellFormed R = HalvedFftOf<RfftnName, axes, X, Resize::halve>>
auto rfftn(X&& x, Norm norm = Norm::backward) -> R {
  constexpr Axes last = last_axis<axes, StoredOperand<X>>;
  return transform_axes<axes, R>(rfft<last>(std::forward<X>(x), norm), norm, false, last.index);
}
template <Axes axes = every, Expression X,
          IllFormed R = HalvedFftOf<RfftnName, axes, X, Resize::halve>>
auto rfftn(X&& x, Norm norm = Norm::backward) -> R;
template <Axes = every, class X, class R = Refused<RfftnName, X>>
auto rfftn(X const&, Norm = Norm::backward) -> R;

/// The inverse of `rfftn` where the last axis has an even length of 2 (n - 1). Throws `ValueError`
/// for a length below 1. NumPy, PyTorch, JAX: `fft.irfftn`, `fft.irfft2`.
template <Axes axes = every, Expression X,
          WellFormed R = HalvedFftOf<IrfftnName, axes, X, Resize::restore>>
auto irfftn(X&& x, Norm norm = Norm::backward) -> R {
  using Z = StoredOperand<TensorOf<X>>;
  constexpr Axes last = last_axis<axes, Z>;
  std::int64_t const n = at(x.sizes(), last.index);
  Z const others = transform_axes<axes, Z>(eval(std::forward<X>(x)), norm, true, last.index);
  return restore<R, last>(others, 2 * (n - 1), norm, "irfftn");
}
template <Axes axes = every, Expression X,
          IllFormed R = HalvedFftOf<IrfftnName, axes, X, Resize::restore>>
auto irfftn(X&& x, Norm norm = Norm::backward) -> R;

/// The same where the length of the last axis is given, even or odd: "width=_".
template <Axes axes = every, Expression X, std::integral N,
          WellFormed R = HalvedFftOf<IrfftnName, axes, X, Resize::given, dynamic>>
auto irfftn(X&& x, N length, Norm norm = Norm::backward) -> R {
  using Z = StoredOperand<TensorOf<X>>;
  constexpr Axes last = last_axis<axes, Z>;
  Z const others = transform_axes<axes, Z>(eval(std::forward<X>(x)), norm, true, last.index);
  return restore<R, last>(others, static_cast<std::int64_t>(length), norm, "irfftn");
}
template <Axes axes = every, Expression X, std::integral N,
          IllFormed R = HalvedFftOf<IrfftnName, axes, X, Resize::given, dynamic>>
auto irfftn(X&& x, N length, Norm norm = Norm::backward) -> R;
template <Axes = every, class X, class R = Refused<IrfftnName, X>>
auto irfftn(X const&, Norm = Norm::backward) -> R;

/// The factor in the other direction.
constexpr Norm inverse_norm(Norm norm) {
  return norm == Norm::ortho ? norm : norm == Norm::backward ? Norm::forward : Norm::backward;
}

/// The real transform of a line of which the first half is given; the second half are the complex
/// conjugates of the first: `irfft` of the conjugates without the factor 1/n, of even length 2 (n -
/// 1). Throws `ValueError` for a length below 1. NumPy, PyTorch, JAX: `fft.hfft`.
template <Axes axis, Expression X, WellFormed R = FftOf<HfftName, axis, X, Resize::restore>>
auto hfft(X&& x, Norm norm = Norm::backward) -> R {
  auto const half = eval(conj(std::forward<X>(x)));
  std::int64_t const n = at(half.sizes(), Chosen<axis, R>::value.axis());
  return restore<R, axis>(half, 2 * (n - 1), inverse_norm(norm), "hfft");
}
template <Axes axis, Expression X, IllFormed R = FftOf<HfftName, axis, X, Resize::restore>>
auto hfft(X&& x, Norm norm = Norm::backward) -> R;

/// The same of a length that is given, even or odd: "time=_".
template <Axes axis, Expression X, std::integral N,
          WellFormed R = FftOf<HfftName, axis, X, Resize::given, dynamic>>
auto hfft(X&& x, N length, Norm norm = Norm::backward) -> R {
  return restore<R, axis>(eval(conj(std::forward<X>(x))), static_cast<std::int64_t>(length),
                          inverse_norm(norm), "hfft");
}
template <Axes axis, Expression X, std::integral N,
          IllFormed R = FftOf<HfftName, axis, X, Resize::given, dynamic>>
auto hfft(X&& x, N length, Norm norm = Norm::backward) -> R;
template <Axes, class X, class R = Refused<HfftName, X>>
auto hfft(X const&, Norm = Norm::backward) -> R;
template <class Name = HfftName, class R = AxisForm<Name>>
auto hfft(AnyExpression, NumberOrText = -1) -> R;

/// The inverse of `hfft`: the first n / 2 + 1 complex numbers of a line whose transform is real.
/// NumPy, PyTorch, JAX: `fft.ihfft`.
template <Axes axis, Expression X, WellFormed R = FftOf<IhfftName, axis, X, Resize::halve>>
auto ihfft(X&& x, Norm norm = Norm::backward) -> R {
  return conj(rfft<axis>(std::forward<X>(x), inverse_norm(norm)));
}
template <Axes axis, Expression X, IllFormed R = FftOf<IhfftName, axis, X, Resize::halve>>
auto ihfft(X&& x, Norm norm = Norm::backward) -> R;
template <Axes, class X, class R = Refused<IhfftName, X>>
auto ihfft(X const&, Norm = Norm::backward) -> R;
template <class Name = IhfftName, class R = AxisForm<Name>>
auto ihfft(AnyExpression, NumberOrText = -1) -> R;

}  // namespace tenon::internal::fft

namespace tenon::fft {

using internal::fft::hfft;
using internal::fft::ihfft;
using internal::fft::irfftn;
using internal::fft::rfftn;

}  // namespace tenon::fft
