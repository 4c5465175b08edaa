#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <string>
#include <utility>

#include <tenon/expr/create/create.hpp>
#include <tenon/numeric/fft.hpp>

namespace tenon::fft {

/// How a signal is padded at both ends: by reflection, which does not repeat the end element, or
/// with zeros. PyTorch: `pad_mode`.
enum class Padding { reflect, zeros };

/// Options of `stft` and `istft`, with the defaults of PyTorch.
struct StftOptions {
  bool center = true;  ///< Whether frame i is centered at element i hop, else begins there.
  Padding padding = Padding::reflect;  ///< With center: beyond both ends.
  bool normalized = false;             ///< Whether transforms are divided by sqrt(n).
};

}  // namespace tenon::fft

/// Transforms of the frames of a signal.
namespace tenon::internal::fft {

using tenon::fft::Padding;
using tenon::fft::StftOptions;

/// `count` frames of n elements each, `hop` apart, of a signal of `length` elements; the first
/// begins `before` elements before it.
struct Framing {
  std::int64_t n, hop, count, length, before;
  bool reflects;

  /// The element of the signal at a place of a frame; outside of it for zeros.
  std::int64_t place(std::int64_t frame, std::int64_t j) const {
    std::int64_t const at = frame * hop + j - before;
    if (!reflects) return at;
    return at < 0 ? -at : at >= length ? 2 * (length - 1) - at : at;
  }
};

/// Calls f(element, place in the frames) for all elements of frames: the signal is outer × length ×
/// inner, the frames are outer × n × count × inner.
template <class F>
void for_each_place(Framing const& by, std::int64_t outer, std::int64_t inner, F const& f) {
  for (std::int64_t row = 0; row < outer * by.n; ++row)
    for (std::int64_t frame = 0; frame < by.count; ++frame) {
      std::int64_t const at = by.place(frame, row % by.n);
      if (at < 0 || at >= by.length) continue;
      std::int64_t const from = (row / by.n * by.length + at) * inner;
      std::int64_t const to = (row * by.count + frame) * inner;
      for (std::int64_t i = 0; i < inner; ++i) f(from + i, to + i);
    }
}

template <class T>
Cube<T> zero_cube(std::int64_t outer, std::int64_t size, std::int64_t inner) {
  Sizes sizes = unit_sizes();
  sizes[0] = outer, sizes[1] = size, sizes[2] = inner;
  Cube<T> result = Cube<T>::uninitialised(sizes);
  std::fill_n(result.own_memory(), result.size(), T{});
  return result;
}

/// A signal as the sum of its frames, which overlap.
template <class T>
Cube<T> add_frames(Cube<T> const& frames, Framing const& by);

/// The frames of a signal as outer × n × (count inner).
template <class T>
Cube<T> cut_frames(Cube<T> const& signal, Framing const& by) {
  tracing::refuse_while_on("stft");
  auto const forward = [by](Cube<T> const& x) {
    Cube<T> y = zero_cube<T>(x.sizes()[0], by.n, by.count * x.sizes()[2]);
    T* const to = y.own_memory();
    for_each_place(by, x.sizes()[0], x.sizes()[2],
                   [&, from = x.data()](std::int64_t i, std::int64_t k) { to[k] = from[i]; });
    return y;
  };
  auto const backward = [by](Cube<T> const& d, Cube<T> const&, Cube<T> const&) {
    return add_frames(d, by);
  };
  return custom_vjp(forward, backward)(signal);
}

template <class T>
Cube<T> add_frames(Cube<T> const& frames, Framing const& by) {
  auto const forward = [by](Cube<T> const& y) {
    std::int64_t const outer = y.sizes()[0], inner = y.sizes()[2] / by.count;
    Cube<T> x = zero_cube<T>(outer, by.length, inner);
    T* const to = x.own_memory();
    for_each_place(by, outer, inner,
                   [&, from = y.data()](std::int64_t i, std::int64_t k) { to[i] += from[k]; });
    return x;
  };
  auto const backward = [by](Cube<T> const& d, Cube<T> const&, Cube<T> const&) {
    return cut_frames(d, by);
  };
  return custom_vjp(forward, backward)(frames);
}

struct StftName : Transform<"stft", AnyToComplex, 1> {
  static constexpr std::string_view form = "fft::stft<\"time\", 160>(x, window)";
};
struct IstftName : Transform<"istft", ComplexToReal, 1> {
  static constexpr std::string_view form = "fft::istft<\"time\", 160>(x, window)";
};

/// The numbers of a transform of n numbers that are stored: those of real ones as their first half.
template <class T>
constexpr std::int64_t stored_numbers(std::int64_t n) {
  return ComplexType<T> ? n : n / 2 + 1;
}

/// The axes of the transforms of frames of `E` with a window `K`.
template <Axes axis, std::int64_t hop, StftOptions options, class E, class K>
struct FramesShape {
  static constexpr int place = Chosen<axis, E>::value.axis();
  static constexpr std::int64_t n = K::shape[0].size;
  static constexpr Axis time = [] {
    Axis const& old = E::shape[place];
    if (!K::shape[0].is_static()) return resized(old, dynamic);
    std::int64_t const added = (options.center ? n / 2 * 2 : 0) - n;
    AxisExtent const starts = symbolic_extent(old) + number_extent(added);
    return resized(old, quotient(starts, number_extent(hop)) + number_extent(1));
  }();
  static constexpr Axis frequency = named_axis(
      "frequency", K::shape[0].is_static() ? stored_numbers<typename E::value_type>(n) : dynamic);
  static constexpr Shape shape = inserted(with_axis(E::shape, place, time), place, frequency);
};

/// The axes of the signal of transforms `E`, whose frequencies are before the axis of frames; of a
/// length that is given at run time, or follows from the number of frames.
template <Axes axis, std::int64_t hop, StftOptions options, bool given, class E, class K>
struct SignalShape {
  static constexpr int place = Chosen<axis, E>::value.axis();
  static constexpr std::int64_t n = K::shape[0].size;
  static constexpr Axis time = [] {
    Axis const& old = E::shape[place];
    if (given || !K::shape[0].is_static()) return resized(old, dynamic);
    std::int64_t const added = n - hop - (options.center ? n / 2 * 2 : 0);
    return resized(old, number_extent(hop) * symbolic_extent(old) + number_extent(added));
  }();
  static constexpr Shape shape = removed(with_axis(E::shape, place, time), place - 1);
};

/// Names the mistake in the dtypes and axes of an operand and a window; `void` if they fit.
template <class Name, Axes axis, class E, class K>
constexpr auto frames_mistake() {
  using result = decltype(fft_type<Name, axis, Resize::none, 0, E>());
  using T = PartOf<typename E::value_type>;
  if constexpr (IllFormed<typename result::type>) return result{};
  else if constexpr (!std::same_as<T, typename K::value_type>) return dtype_mistake<Name, E, K>();
  else if constexpr (K::shape.rank != 1) return axes_mistake<Name, every, 1, K>();
  else return std::type_identity<void>{};
}

template <Axes axis, std::int64_t hop, StftOptions options, class E, class K>
constexpr auto stft_type() {
  using mistake = decltype(frames_mistake<StftName, axis, E, K>());
  if constexpr (!std::is_void_v<typename mistake::type>) return mistake{};
  else
    return std::type_identity<Tensor<std::complex<PartOf<typename E::value_type>>,
                                     spec_of<FramesShape<axis, hop, options, E, K>>>>{};
}
template <Axes axis, std::int64_t hop, StftOptions options, Expression X, Expression K>
using StftOf =
    typename decltype(stft_type<axis, hop, options, StoredOperand<X>, StoredOperand<K>>())::type;

/// How a signal is framed. Throws `ShapeError` for a signal too short for a frame or a reflection.
inline Framing framing_of(std::int64_t length, std::int64_t n, std::int64_t hop,
                          StftOptions const& options) {
  std::int64_t const before = options.center ? n / 2 : 0;
  bool const reflects = options.center && options.padding == Padding::reflect;
  std::int64_t const least = (std::max)(n - 2 * before, reflects ? before + 1 : 0);
  if (n < 1) fail<ShapeError>({"stft", "window", "at least one element", "none", {}});
  if (length < least)
    fail<ShapeError>({"stft",
                      "signal",
                      "at least " + std::to_string(least) + " elements",
                      std::to_string(length),
                      {}});
  return {n, hop, (length + 2 * before - n) / hop + 1, length, before, reflects};
}

/// A window as a factor of frames.
template <class T, class K>
auto factor_of(K const& window) {
  return reshaped<Tensor<T, "1 _ 1">>(eval(to<T>(window)), as_cube(window, 0).sizes());
}

/// The sizes of a signal with those of its frames at an axis, and the sizes of the signal.
constexpr Sizes sizes_in_frames(Sizes const& sizes, int axis, std::int64_t n, std::int64_t count) {
  Sizes result = unit_sizes();
  for (int i = 0; i + 1 < max_rank; ++i) at(result, i < axis ? i : i + 1) = at(sizes, i);
  at(result, axis) = n, at(result, axis + 1) = count;
  return result;
}
constexpr Sizes sizes_of_signal(Sizes const& sizes, int axis, std::int64_t length) {
  Sizes result = unit_sizes();
  for (int i = 0; i < max_rank; ++i)
    if (i != axis) at(result, i < axis ? i : i - 1) = at(sizes, i);
  at(result, axis) = length;
  return result;
}

inline Norm norm_of(StftOptions const& options) {
  return options.normalized ? Norm::ortho : Norm::backward;
}

/// The short-time Fourier transform, X[k, i] = sum_j w[j] x[i hop + j - n/2] exp(-2 pi i jk / n) of
/// frames of the n elements of the window, `hop` apart: with a window of 400, `stft<"time",
/// 160>(x, hann<...>(400))` gives "batch frequency=201 time=time//160+1" from "batch time". Real
/// signals have n / 2 + 1 frequencies, complex ones n. `options` are a template argument, too:
/// `stft<"time", 160, StftOptions{.center = false}>(x, window)`. Throws `ShapeError` for a signal
/// that is too short. PyTorch: `stft`. SciPy: `signal.stft`, divided by the sum of the window.
template <Axes axis, std::int64_t hop, StftOptions options = StftOptions{}, Expression X,
          Expression K, WellFormed R = StftOf<axis, hop, options, X, K>>
auto stft(X&& x, K&& window) -> R {
  static_assert(hop > 0, "tenon::stft: a hop below one");
  using T = typename Unqualified<X>::value_type;
  constexpr int place = Chosen<axis, Unqualified<X>>::value.axis();
  auto const signal = eval(std::forward<X>(x));
  auto const w = eval(std::forward<K>(window));
  Framing const by = framing_of(at(signal.sizes(), place), w.size(), hop, options);
  Cube<T> const frames = cut_frames(as_cube(signal, place), by) * factor_of<T>(w);
  Scaled const scale = scaled(by.n, norm_of(options), false);
  Sizes sizes = sizes_in_frames(signal.sizes(), place, stored_numbers<T>(by.n), by.count);
  if constexpr (ComplexType<T>)
    return reshaped<R>(transform_complex(frames, by.n, scale, false), sizes);
  else return reshaped<R>(to_halves(frames, scale), sizes);
}
template <Axes axis, std::int64_t hop, StftOptions options = StftOptions{}, Expression X,
          Expression K, IllFormed R = StftOf<axis, hop, options, X, K>>
auto stft(X&& x, K&& window) -> R;
template <Axes, std::int64_t, StftOptions = StftOptions{}, class... X,
          class R = Refused<StftName, X...>>
auto stft(X const&...) -> R;
template <class Name = StftName, class R = AxisForm<Name>>
auto stft(AnyExpression, AnyExpression) -> R;

/// The axis of frequencies that transforms of frames with a window `K` have.
template <class E, class K>
struct ExpectedFrequency {
  static constexpr Shape shape = with_axis(
      K::shape, 0, named_axis("", K::shape[0].is_static() ? K::shape[0].size / 2 + 1 : dynamic));
};

template <Axes axis, std::int64_t hop, StftOptions options, bool given, class E, class K>
constexpr auto istft_type() {
  using mistake = decltype(frames_mistake<IstftName, axis, E, K>());
  if constexpr (!std::is_void_v<typename mistake::type>) return mistake{};
  else if constexpr (constexpr int place = Chosen<axis, E>::value.axis(); place == 0)
    return std::type_identity<
        error::shapes_do_not_align<spec_of_name<IstftName>, spec_of<E>, Spec("frequency time")>>{};
  else if constexpr (K::shape[0].is_static() && E::shape[place - 1].is_static() &&
                     E::shape[place - 1].size != K::shape[0].size / 2 + 1)
    return std::type_identity<
        error::axes_do_not_fit<spec_of_name<IstftName>, spec_of_axis<E, place - 1>,
                               spec_of_axis<ExpectedFrequency<E, K>, 0>, spec_of<E>, spec_of<K>>>{};
  else
    return std::type_identity<Tensor<PartOf<typename E::value_type>,
                                     spec_of<SignalShape<axis, hop, options, given, E, K>>>>{};
}
template <Axes axis, std::int64_t hop, StftOptions options, bool given, Expression X, Expression K>
using IstftOf = typename decltype(istft_type<axis, hop, options, given, StoredOperand<X>,
                                             StoredOperand<K>>())::type;

/// How a signal of a length is put together from frames, by default of the length that follows from
/// their number.
inline Framing framing_of_frames(std::int64_t frequencies, std::int64_t count, std::int64_t n,
                                 std::int64_t hop, StftOptions const& options,
                                 std::int64_t length) {
  std::int64_t const before = options.center ? n / 2 : 0;
  if (frequencies != n / 2 + 1)
    fail<ShapeError>({"istft", "frequency", std::to_string(n / 2 + 1), std::to_string(frequencies),
                      "a window of " + std::to_string(n)});
  if (count < 1) fail<ShapeError>({"istft", "frames", "at least 1", "none", {}});
  if (length < 0) length = (count - 1) * hop + n - 2 * before;
  return {n, hop, count, length, before, false};
}

/// Throws `ValueError` where the sum of the squares of the windows is 0 before the end of frames.
template <class T>
void check_window_sums(T const* sums, Framing const& by) {
  std::int64_t const end = (by.count - 1) * by.hop + by.n - by.before;
  for (std::int64_t i = 0; i < (std::min)(end, by.length); ++i)
    if (!(sums[i] > T(1e-11)))
      fail<ValueError>({"istft", "window", "a sum of squares above 1e-11 at each element",
                        std::to_string(sums[i]), "element " + std::to_string(i)});
}

/// The sum of the squares of the windows at each element of the signal; 1 beyond the last frame.
template <class T, class K>
auto window_squares(K const& window, Framing const& by) {
  auto const frames = ones<Tensor<T, "1 1 _">>(by.count) * square(factor_of<T>(window));
  Cube<T> const sums = add_frames(as<"_ _ _">(frames), by);
  check_window_sums(Cube<T>(stop_gradient(sums)).data(), by);
  Cube<T> const divisors = where(sums > T(1e-11), sums, 1);
  return reshaped<Tensor<T, "1 _ 1">>(divisors, sums.sizes());
}

template <class R, Axes axis, std::int64_t hop, StftOptions options, class Z, class K>
R join_frames(Z const& x, K const& window, std::int64_t length) {
  using T = typename R::value_type;
  constexpr int place = Chosen<axis, Z>::value.axis();
  Framing const by = framing_of_frames(at(x.sizes(), place - 1), at(x.sizes(), place),
                                       window.size(), hop, options, length);
  auto const frames =
      from_halves<T>(as_cube(x, place - 1), by.n, scaled(by.n, norm_of(options), true));
  Cube<T> const sums = add_frames(Cube<T>(frames * factor_of<T>(window)), by);
  Cube<T> const signal = sums / window_squares<T>(window, by);
  return reshaped<R>(signal, sizes_of_signal(x.sizes(), place - 1, by.length));
}

/// The real signal of which `stft` gives x, whose axis of frequencies is before that of frames: the
/// sum of w[j] times the inverse transforms, divided by the sum of w[j]² of the frames that overlap
/// (D. Griffin and J. Lim, 1984). Options and hop are those of `stft`. Gradients reach x and the
/// window. Throws `ShapeError` where the frequencies are not n / 2 + 1 or there is no frame,
/// `ValueError` where a sum of squares is at most 1e-11. PyTorch: `istft`. SciPy: `signal.istft`.
template <Axes axis, std::int64_t hop, StftOptions options = StftOptions{}, Expression X,
          Expression K, WellFormed R = IstftOf<axis, hop, options, false, X, K>>
auto istft(X&& x, K&& window) -> R {
  return join_frames<R, axis, hop, options>(eval(std::forward<X>(x)), eval(std::forward<K>(window)),
                                            -1);
}
template <Axes axis, std::int64_t hop, StftOptions options = StftOptions{}, Expression X,
          Expression K, IllFormed R = IstftOf<axis, hop, options, false, X, K>>
auto istft(X&& x, K&& window) -> R;

/// The same of a length that is given: "time=_". Elements behind the last frame are 0.
template <Axes axis, std::int64_t hop, StftOptions options = StftOptions{}, Expression X,
          Expression K, std::integral N, WellFormed R = IstftOf<axis, hop, options, true, X, K>>
auto istft(X&& x, K&& window, N length) -> R {
  if (length < 0) fail<ValueError>({"istft", "length", "at least 0", std::to_string(length), {}});
  return join_frames<R, axis, hop, options>(eval(std::forward<X>(x)), eval(std::forward<K>(window)),
                                            static_cast<std::int64_t>(length));
}
template <Axes axis, std::int64_t hop, StftOptions options = StftOptions{}, Expression X,
          Expression K, std::integral N, IllFormed R = IstftOf<axis, hop, options, true, X, K>>
auto istft(X&& x, K&& window, N length) -> R;
template <Axes, std::int64_t, StftOptions = StftOptions{}, class X, class K,
          class R = Refused<IstftName, X, K>>
auto istft(X const&, K const&, NumberOrText = -1) -> R;
template <class Name = IstftName, class R = AxisForm<Name>>
auto istft(AnyExpression, AnyExpression, NumberOrText = -1) -> R;

}  // namespace tenon::internal::fft

namespace tenon::fft {

using internal::fft::istft;
using internal::fft::stft;

}  // namespace tenon::fft
