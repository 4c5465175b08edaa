#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/eval/custom.hpp>
#include <tenon/expr/view/views.hpp>
#include <tenon/expr/view/window.hpp>
#include <tenon/numeric/complex.hpp>
#include <tenon/numeric/fourier.hpp>

namespace tenon::fft {

/// Where a transform of length n is divided by n, or by its square root in both directions, as in
/// NumPy: by default in the inverse one.
enum class Norm { backward, ortho, forward };

}  // namespace tenon::fft

/// Transforms of tensors as three axes: those before, the one that is transformed, those behind.
/// Each is compiled once per dtype.
namespace tenon::internal::fft {

using tenon::fft::Norm;

template <class T>
using Cube = Tensor<T, "_ _ _">;

template <class T>
using PartOf = RealPartOf<T>;

/// A length and a factor.
struct Scaled {
  std::int64_t n;
  double scale;
};

inline Scaled scaled(std::int64_t n, Norm norm, bool inverse) {
  if (norm == Norm::ortho) return {n, 1 / std::sqrt(static_cast<double>(n))};
  bool const divides = (norm == Norm::backward) == inverse;
  return {n, divides ? 1 / static_cast<double>(n) : 1.0};
}

/// The result of a kind of transform, of `kept` numbers per line.
template <class To, class From>
Cube<To> transform_lines(Cube<From> const& x, std::int64_t kept, Scaled const& by, bool inverse) {
  Sizes sizes = x.sizes();
  fourier::Lines const lines{sizes[0], sizes[2], by.n, sizes[1], kept, by.scale, inverse};
  sizes[1] = kept;
  Cube<To> y = Cube<To>::uninitialised(sizes);
  if (y.size() > 0) fourier::transform(lines, x.data(), y.own_memory());
  return y;
}

/// The matrix of a transform is symmetric: from the adjoint of the result it gives that of x.
template <ComplexType Z>
Cube<Z> transform_complex(Cube<Z> const& x, std::int64_t kept, Scaled const& by, bool inverse) {
  tracing::refuse_while_on("fft");
  auto const forward = [=](Cube<Z> const& at) { return transform_lines<Z>(at, kept, by, inverse); };
  auto const backward = [=](Cube<Z> const& d, Cube<Z> const&, Cube<Z> const& at) {
    return transform_complex(d, at.sizes()[1], by, inverse);
  };
  return custom_vjp(forward, backward)(x);
}

/// The complex conjugates of the first half of a transform; those elements whose conjugates the
/// other half has are multiplied by `factor`.
template <ComplexType Z>
Cube<Z> conjugate_halves(Cube<Z> x, std::int64_t n, PartOf<Z> factor) {
  std::int64_t const kept = x.sizes()[1], inner = x.sizes()[2];
  Z* const to = x.own_memory();
  for (std::int64_t i = 0; i < x.size(); ++i) {
    std::int64_t const k = i / inner % kept;
    to[i] = std::conj(to[i]) * (k == 0 || 2 * k == n ? 1 : factor);
  }
  return x;
}

template <class T>
Cube<std::complex<T>> to_halves(Cube<T> const& x, Scaled const& by) {
  tracing::refuse_while_on("rfft");
  using Z = std::complex<T>;
  auto const forward = [=](Cube<T> const& at) {
    return transform_lines<Z>(at, by.n / 2 + 1, by, false);
  };
  auto const backward = [=](Cube<Z> const& d, Cube<Z> const&, Cube<T> const& at) {
    return transform_lines<T>(conjugate_halves(d, by.n, T(0.5)), at.sizes()[1], by, true);
  };
  return custom_vjp(forward, backward)(x);
}

template <class T>
Cube<T> from_halves(Cube<std::complex<T>> const& x, std::int64_t kept, Scaled const& by) {
  tracing::refuse_while_on("irfft");
  using Z = std::complex<T>;
  auto const forward = [=](Cube<Z> const& at) { return transform_lines<T>(at, kept, by, true); };
  auto const backward = [=](Cube<T> const& d, Cube<T> const&, Cube<Z> const& at) {
    return conjugate_halves(transform_lines<Z>(d, at.sizes()[1], by, false), by.n, T(2));
  };
  return custom_vjp(forward, backward)(x);
}

/// A tensor as three axes, and three axes as a tensor with an axis of another size.
template <TensorType E>
Cube<typename E::value_type> as_cube(E const& x, int axis) {
  Sizes sizes = unit_sizes();
  for (int i = 0; i < E::rank; ++i) at(sizes, i < axis ? 0 : i == axis ? 1 : 2) *= at(x.sizes(), i);
  return reshaped<Cube<typename E::value_type>>(x, sizes);
}
template <TensorType R, class T>
R from_cube(Cube<T> const& x, Sizes sizes, int axis) {
  at(sizes, axis) = x.sizes()[1];
  return reshaped<R>(x, sizes);
}

}  // namespace tenon::internal::fft

/// Fourier transforms along named axes.
namespace tenon::internal::fft {

/// How the size n of the axis changes: to n / 2 + 1, back to 2 (n - 1), or to another.
enum class Resize { none, halve, restore, given };

template <Axes axis, Resize resize, std::int64_t size, class E>
struct Resized {
  static constexpr Axis const& old = E::shape[Chosen<axis, E>::value.axis()];
  static constexpr Axis changed() {
    AxisExtent const n = symbolic_extent(old), two = number_extent(2);
    if (resize == Resize::halve) return resized(old, quotient(n, two) + number_extent(1));
    if (resize == Resize::restore) return resized(old, two * (n + number_extent(-1)));
    return resize == Resize::given ? resized(old, size) : old;
  }
  static constexpr Shape shape = with_axis(E::shape, Chosen<axis, E>::value.axis(), changed());
};

template <class T>
concept Transformed = std::is_same_v<PartOf<T>, float> || std::is_same_v<PartOf<T>, double>;

/// The dtypes of operands and results.
struct AnyToComplex {
  template <class T>
  static constexpr bool takes = Transformed<T>;
  template <class T>
  using result = std::complex<PartOf<T>>;
};
struct RealToComplex : AnyToComplex {
  template <class T>
  static constexpr bool takes = Transformed<T> && !ComplexType<T>;
};
struct ComplexToReal {
  template <class T>
  static constexpr bool takes = Transformed<T> && ComplexType<T>;
  template <class T>
  using result = PartOf<T>;
};

/// Names the reason why `axes` are not that many axes of `E`; any number for 0.
template <class Name, Axes axes, class E>
constexpr auto number_mistake() {
  if constexpr (Name::axes > 0) return axes_mistake<Name, axes, Name::axes, E>();
  else if constexpr (Chosen<axes, E>::value.count > 0) return std::type_identity<void>{};
  else return axes_mistake<Name, axes, 1, E>();
}

/// The tensor that a transform returns, or an undefined type that names the error.
template <class Name, Axes axes, Resize resize, std::int64_t size, class E>
constexpr auto fft_type() {
  using T = typename E::value_type;
  using D = typename E::device;
  using mistake = typename decltype(number_mistake<Name, axes, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else if constexpr (!Name::template takes<T>) return dtype_mistake<Name, E>();
  else if constexpr (!D::is_host)
    return std::type_identity<
        error::devices_differ<spec_of_name<Name>, spec_of_name<D>, spec_of_name<Cpu>>>{};
  else
    return std::type_identity<
        Tensor<typename Name::template result<T>, spec_of<Resized<axes, resize, size, E>>, D>>{};
}
template <class Name, Axes axes, Expression X, Resize resize = Resize::none, std::int64_t size = 0>
using FftOf = typename decltype(fft_type<Name, axes, resize, size, StoredOperand<X>>())::type;

/// The name of a transform, its dtypes and the number of its axes, 0 for any.
template <Spec S, class Dtypes, int count>
struct Transform : Named<S>, Dtypes {
  static constexpr int axes = count;
};
/// Of one axis, with the form of a call.
template <Spec S, class Dtypes>
struct TransformAlong : Transform<S, Dtypes, 1> {
  static constexpr FixedText form = FixedText("fft::").append(S.view()).append("<\"time\">(x)");
};
using FftName = TransformAlong<"fft", AnyToComplex>;
using IfftName = TransformAlong<"ifft", AnyToComplex>;
using Fft2Name = Transform<"fft2", AnyToComplex, 2>;
using Ifft2Name = Transform<"ifft2", AnyToComplex, 2>;
using FftnName = Transform<"fftn", AnyToComplex, 0>;
using IfftnName = Transform<"ifftn", AnyToComplex, 0>;
using RfftName = TransformAlong<"rfft", RealToComplex>;
using IrfftName = TransformAlong<"irfft", ComplexToReal>;

template <TensorType Z, class X>
Z as_complex(X&& x) {
  using T = typename Z::value_type;
  if constexpr (std::is_same_v<typename Unqualified<X>::value_type, T>) return std::forward<X>(x);
  else return to<T>(std::forward<X>(x));
}

/// An operand as a complex tensor, one axis after the other transformed, except one.
template <Axes axes, TensorType Z, class X>
Z transform_axes(X&& x, Norm norm, bool inverse, int except = -1) {
  Z y = as_complex<Z>(std::forward<X>(x));
  for (int i = Z::rank - 1; i >= 0; --i) {
    if (!Chosen<axes, Z>::value[i] || i == except) continue;
    std::int64_t const n = at(y.sizes(), i);
    auto const cube = transform_complex(as_cube(y, i), n, scaled(n, norm, inverse), inverse);
    y = from_cube<Z>(cube, y.sizes(), i);
  }
  return y;
}

/// `size` real numbers per line from the first half of their transform.
template <TensorType R, Axes axis, TensorType Z>
R restore(Z const& x, std::int64_t size, Norm norm, std::string_view who = "irfft") {
  if (size < 1) fail<ValueError>({who, "length", "at least 1", std::to_string(size), {}});
  constexpr int place = Chosen<axis, Z>::value.axis();
  auto const cube =
      from_halves<typename R::value_type>(as_cube(x, place), size, scaled(size, norm, true));
  return from_cube<R>(cube, x.sizes(), place);
}

/// The discrete Fourier transform along an axis, X[k] = sum_j x[j] exp(-2 pi i jk / n), of real or
/// complex numbers of any length, evaluated eagerly. The names of axes stay. `norm` chooses where
/// the factor 1/n is: `backward` in the inverse, `forward` here, `ortho` its root in both.
/// Gradients are JAX's. NumPy, PyTorch, JAX: `fft.fft`.
template <Axes axis, Expression X, WellFormed R = FftOf<FftName, axis, X>>
auto fft(X&& x, Norm norm = Norm::backward) -> R {
  return transform_axes<axis, R>(std::forward<X>(x), norm, false);
}
template <Axes axis, Expression X, IllFormed R = FftOf<FftName, axis, X>>
auto fft(X&& x, Norm norm = Norm::backward) -> R;
template <Axes, class X, class R = Refused<FftName, X>>
auto fft(X const&, Norm = Norm::backward) -> R;
template <class Name = FftName, class R = AxisForm<Name>>
auto fft(AnyExpression, NumberOrText = -1) -> R;

/// The inverse of `fft`: x[j] = 1/n sum_k X[k] exp(2 pi i jk / n). NumPy, PyTorch, JAX: `fft.ifft`.
template <Axes axis, Expression X, WellFormed R = FftOf<IfftName, axis, X>>
auto ifft(X&& x, Norm norm = Norm::backward) -> R {
  return transform_axes<axis, R>(std::forward<X>(x), norm, true);
}
template <Axes axis, Expression X, IllFormed R = FftOf<IfftName, axis, X>>
auto ifft(X&& x, Norm norm = Norm::backward) -> R;
template <Axes, class X, class R = Refused<IfftName, X>>
auto ifft(X const&, Norm = Norm::backward) -> R;
template <class Name = IfftName, class R = AxisForm<Name>>
auto ifft(AnyExpression, NumberOrText = -1) -> R;

/// `fft` along each of two axes: `fft2<"height width">(x)`. NumPy, PyTorch, JAX: `fft.fft2`.
template <Axes axes, Expression X, WellFormed R = FftOf<Fft2Name, axes, X>>
auto fft2(X&& x, Norm norm = Norm::backward) -> R {
  return transform_axes<axes, R>(std::forward<X>(x), norm, false);
}
template <Axes axes, Expression X, IllFormed R = FftOf<Fft2Name, axes, X>>
auto fft2(X&& x, Norm norm = Norm::backward) -> R;
template <Axes, class X, class R = Refused<Fft2Name, X>>
auto fft2(X const&, Norm = Norm::backward) -> R;

/// The inverse of `fft2`. NumPy, PyTorch, JAX: `fft.ifft2`.
template <Axes axes, Expression X, WellFormed R = FftOf<Ifft2Name, axes, X>>
auto ifft2(X&& x, Norm norm = Norm::backward) -> R {
  return transform_axes<axes, R>(std::forward<X>(x), norm, true);
}
template <Axes axes, Expression X, IllFormed R = FftOf<Ifft2Name, axes, X>>
auto ifft2(X&& x, Norm norm = Norm::backward) -> R;
template <Axes, class X, class R = Refused<Ifft2Name, X>>
auto ifft2(X const&, Norm = Norm::backward) -> R;

/// `fft` along each of some axes, by default of all. NumPy, PyTorch, JAX: `fft.fftn`.
template <Axes axes = every, Expression X, WellFormed R = FftOf<FftnName, axes, X>>
auto fftn(X&& x, Norm norm = Norm::backward) -> R {
  return transform_axes<axes, R>(std::forward<X>(x), norm, false);
}
template <Axes axes = every, Expression X, IllFormed R = FftOf<FftnName, axes, X>>
auto fftn(X&& x, Norm norm = Norm::backward) -> R;
template <Axes = every, class X, class R = Refused<FftnName, X>>
auto fftn(X const&, Norm = Norm::backward) -> R;

/// The inverse of `fftn`. NumPy, PyTorch, JAX: `fft.ifftn`.
template <Axes axes = every, Expression X, WellFormed R = FftOf<IfftnName, axes, X>>
auto ifftn(X&& x, Norm norm = Norm::backward) -> R {
  return transform_axes<axes, R>(std::forward<X>(x), norm, true);
}
template <Axes axes = every, Expression X, IllFormed R = FftOf<IfftnName, axes, X>>
auto ifftn(X&& x, Norm norm = Norm::backward) -> R;
template <Axes = every, class X, class R = Refused<IfftnName, X>>
auto ifftn(X const&, Norm = Norm::backward) -> R;

/// The first n / 2 + 1 numbers of the transform of real numbers; the others are their conjugates:
/// "time=8" gives "time=5", "time" gives "time=time//2+1". NumPy, PyTorch, JAX: `fft.rfft`.
template <Axes axis, Expression X, WellFormed R = FftOf<RfftName, axis, X, Resize::halve>>
auto rfft(X&& x, Norm norm = Norm::backward) -> R {
  auto const real = eval(std::forward<X>(x));
  constexpr int place = Chosen<axis, Unqualified<X>>::value.axis();
  std::int64_t const n = at(real.sizes(), place);
  return from_cube<R>(to_halves(as_cube(real, place), scaled(n, norm, false)), real.sizes(), place);
}
template <Axes axis, Expression X, IllFormed R = FftOf<RfftName, axis, X, Resize::halve>>
auto rfft(X&& x, Norm norm = Norm::backward) -> R;
template <Axes, class X, class R = Refused<RfftName, X>>
auto rfft(X const&, Norm = Norm::backward) -> R;
template <class Name = RfftName, class R = AxisForm<Name>>
auto rfft(AnyExpression, NumberOrText = -1) -> R;

/// The inverse of `rfft`, of even length 2 (n - 1): "time=5" gives "time=8". Throws `ValueError`
/// for a length below 1. NumPy, PyTorch, JAX: `fft.irfft`.
template <Axes axis, Expression X, WellFormed R = FftOf<IrfftName, axis, X, Resize::restore>>
auto irfft(X&& x, Norm norm = Norm::backward) -> R {
  auto const half = eval(std::forward<X>(x));
  std::int64_t const n = at(half.sizes(), Chosen<axis, R>::value.axis());
  return restore<R, axis>(half, 2 * (n - 1), norm);
}
template <Axes axis, Expression X, IllFormed R = FftOf<IrfftName, axis, X, Resize::restore>>
auto irfft(X&& x, Norm norm = Norm::backward) -> R;

/// The same of a length that is given, even or odd: `irfft<"time", 9>(x)`.
template <Axes axis, std::int64_t length, Expression X,
          WellFormed R = FftOf<IrfftName, axis, X, Resize::given, length>>
auto irfft(X&& x, Norm norm = Norm::backward) -> R {
  return restore<R, axis>(eval(std::forward<X>(x)), length, norm);
}
template <Axes axis, std::int64_t length, Expression X,
          IllFormed R = FftOf<IrfftName, axis, X, Resize::given, length>>
auto irfft(X&& x, Norm norm = Norm::backward) -> R;

/// The same of a length known at run time: "time=_".
template <Axes axis, Expression X, std::integral N,
          WellFormed R = FftOf<IrfftName, axis, X, Resize::given, dynamic>>
auto irfft(X&& x, N length, Norm norm = Norm::backward) -> R {
  return restore<R, axis>(eval(std::forward<X>(x)), static_cast<std::int64_t>(length), norm);
}
template <Axes axis, Expression X, std::integral N,
          IllFormed R = FftOf<IrfftName, axis, X, Resize::given, dynamic>>
auto irfft(X&& x, N length, Norm norm = Norm::backward) -> R;
template <Axes, class X, class R = Refused<IrfftName, X>>
auto irfft(X const&, Norm = Norm::backward) -> R;
template <class Name = IrfftName, class R = AxisForm<Name>>
auto irfft(AnyExpression, NumberOrText = -1) -> R;

}  // namespace tenon::internal::fft

namespace tenon::fft {

using internal::fft::fft;
using internal::fft::fft2;
using internal::fft::fftn;
using internal::fft::ifft;
using internal::fft::ifft2;
using internal::fft::ifftn;
using internal::fft::irfft;
using internal::fft::rfft;

}  // namespace tenon::fft
