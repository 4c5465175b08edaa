#pragma once

#include <algorithm>
#include <concepts>
#include <initializer_list>
#include <span>
#include <utility>

#include <tenon/core/rules/resolve.hpp>
#include <tenon/expr/map/mapped.hpp>
#include <tenon/expr/wrong_form.hpp>
#include <tenon/tensor/aliases.hpp>
#include <tenon/tensor/tracing.hpp>

/// Creation of tensors: `zeros<Float32<"batch 784">>(32)`. The sizes of the run-time axes are given
/// in order; inline tensors are usable in constant expressions. A sharded tensor takes its mesh
/// first: `zeros<Sharded<float, "batch@dp 784">>(mesh, 32)`.
namespace tenon::internal {

template <class R, class... I>
concept TakesSizes =
    TensorType<R> && (std::integral<I> && ...) && dynamic_axes(R::shape) == sizeof...(I);

/// The return type of a creation function that got another number of sizes than its type has
/// run-time axes.
template <class Name, TensorType R, class... I>
  requires(!TakesSizes<R, I...>)
using SizesMistake = error::wrong_number_of_sizes<spec_of_name<Name>, R::spec,
                                                  dynamic_axes(R::shape), int{sizeof...(I)}>;

struct ZerosName {
  static constexpr std::string_view name = "zeros";
};
struct OnesName {
  static constexpr std::string_view name = "ones";
};
struct FullName {
  static constexpr std::string_view name = "full";
};
struct IotaName {
  static constexpr std::string_view name = "iota";
};
struct EyeName {
  static constexpr std::string_view name = "eye";
};

/// An uninitialised `R`. Throws `ShapeError` for sizes that the spec does not allow.
template <TensorType R, std::integral... I>
constexpr R uninitialised(I... sizes) {
  return R::uninitialised(R::with_run_time_sizes({static_cast<std::int64_t>(sizes)...}));
}

/// Sets all elements of an uninitialised tensor to one value.
template <TensorType R>
constexpr R filled(R result, typename R::value_type value) {
  result.set_elements(
      [&, size = result.size()](typename R::value_type* to) { std::fill_n(to, size, value); });
  return tracing::created(std::move(result), FullName::name, value);
}

/// Sets the elements of an uninitialised tensor to 0, 1, 2, …
template <TensorType R>
constexpr R counted(R result) {
  using T = typename R::value_type;
  result.set_elements([size = result.size()](T* to) {
    for (std::int64_t i = 0; i < size; ++i) {
      if constexpr (ComplexType<T>) to[i] = static_cast<typename T::value_type>(i);
      else if constexpr (HalfType<T>) to[i] = T(static_cast<float>(i));
      else to[i] = static_cast<T>(i);
    }
  });
  return tracing::created(std::move(result), IotaName::name, T());
}

/// Every element is `value`, of the type `R`. Throws `ValueError` for a number outside the range of
/// an integer dtype. PyTorch: `full`.
template <TensorType R, class V, class... I>
  requires TakesSizes<R, I...> && std::constructible_from<typename R::value_type, V>
constexpr R full(V value, I... sizes) {
  using T = typename R::value_type;
  check_number<T>(FullName::name, value);
  return filled(uninitialised<R>(sizes...), static_cast<T>(value));
}
template <class R, class... A>
  requires Creates<R, FullName, A...>
R full(A const&... arguments) {
  return Creation<FullName, R, A...>::of(arguments...);
}
template <TensorType R, class V, class... I, class M = SizesMistake<FullName, R, I...>>
auto full(V value, I... sizes) -> M;
template <Spec, class Name = FullName, class M = TypeForm<Name>>
auto full(auto const&...) -> M;

/// Zeros, of the type `R`: any dtype and axes. Throws `ShapeError` for a size that its spec does
/// not allow. PyTorch: `zeros`.
template <TensorType R, class... I>
  requires TakesSizes<R, I...>
constexpr R zeros(I... sizes) {
  return full<R>(typename R::value_type{}, sizes...);
}
template <class R, class... A>
  requires Creates<R, ZerosName, A...>
R zeros(A const&... arguments) {
  return Creation<ZerosName, R, A...>::of(arguments...);
}
template <TensorType R, class... I, class M = SizesMistake<ZerosName, R, I...>>
auto zeros(I... sizes) -> M;
template <Spec, class Name = ZerosName, class M = TypeForm<Name>>
auto zeros(auto const&...) -> M;
template <TensorType R, class Name = ZerosName, class M = SizesForm<Name>>
auto zeros(std::initializer_list<std::int64_t>) -> M;

/// Ones, of the type `R`; of a mask: true. Throws `ShapeError` for a size that its spec does not
/// allow. PyTorch: `ones`.
template <TensorType R, class... I>
  requires TakesSizes<R, I...>
constexpr R ones(I... sizes) {
  return full<R>(static_cast<typename R::value_type>(1), sizes...);
}
template <class R, class... A>
  requires Creates<R, OnesName, A...>
R ones(A const&... arguments) {
  return Creation<OnesName, R, A...>::of(arguments...);
}
template <TensorType R, class... I, class M = SizesMistake<OnesName, R, I...>>
auto ones(I... sizes) -> M;
template <Spec, class Name = OnesName, class M = TypeForm<Name>>
auto ones(auto const&...) -> M;
template <TensorType R, class Name = OnesName, class M = SizesForm<Name>>
auto ones(std::initializer_list<std::int64_t>) -> M;

/// 0, 1, 2, … in row-major order. Not for masks. Throws `ValueError` for more elements than an
/// integer dtype can number. PyTorch: `arange`.
template <TensorType R, class... I>
  requires TakesSizes<R, I...> && NumType<typename R::value_type>
constexpr R iota(I... sizes) {
  R result = uninitialised<R>(sizes...);
  if (result.size() > 0) check_number<typename R::value_type>("iota", result.size() - 1);
  return counted(std::move(result));
}
template <TensorType R, class... I, class M = SizesMistake<IotaName, R, I...>>
auto iota(I... sizes) -> M;
template <Spec, class Name = IotaName, class M = TypeForm<Name>>
auto iota(auto const&...) -> M;
template <TensorType R, class... I>
  requires TakesSizes<R, I...> && BoolType<typename R::value_type>
constexpr auto iota(I... sizes) -> typename decltype(dtype_mistake<IotaName, R>())::type;

/// Both axes of a square matrix have one name and one run-time size.
template <class R, class... I>
concept TakesOneSize = TensorType<R> && (std::integral<I> && ...) && sizeof...(I) == 1 &&
                       R::rank == 2 && have_one_size(R::shape[0], R::shape[1]);

/// Ones on the diagonal of a matrix: `eye<Float32<"n n">>(n)`, `eye<Float32<"3 3">>()`. It need not
/// be square: `eye<Float32<"n m">>(2, 3)`. PyTorch: `eye`.
template <TensorType R, class... I>
  requires(R::rank == 2) && (TakesSizes<R, I...> || TakesOneSize<R, I...>)
constexpr R eye(I... sizes) {
  if constexpr (TakesOneSize<R, I...>) {
    return eye<R>(sizes..., sizes...);
  } else {
    using T = typename R::value_type;
    R result = uninitialised<R>(sizes...);
    result.set_elements([extents = result.sizes()](T* to) {
      std::fill_n(to, extents[0] * extents[1], T{});
      for (std::int64_t i = 0; i < (std::min)(extents[0], extents[1]); ++i)
        to[i * (extents[1] + 1)] = static_cast<T>(1);
    });
    return tracing::created(std::move(result), EyeName::name, T());
  }
}
template <TensorType R, class... I, class M = SizesMistake<EyeName, R, I...>>
  requires(R::rank == 2) && (!TakesOneSize<R, I...>)
auto eye(I... sizes) -> M;
template <Spec, class Name = EyeName, class M = TypeForm<Name>>
auto eye(auto const&...) -> M;
template <TensorType R, class... I>
  requires(R::rank != 2)
constexpr auto eye(I... sizes)
    -> error::wrong_number_of_axes<spec_of_name<EyeName>, R::spec, 2, R::rank>;

struct FromSpanName {
  static constexpr std::string_view name = "from_span";
};

/// A copy of `elements`, row-major: `from_span<Float32<"n 3">>(numbers, 2)`. Accepts whatever
/// converts to a span: a vector, an array. Throws `ShapeError` for another number of elements.
/// PyTorch: `torch.tensor`.
template <TensorType R, class... I>
  requires TakesSizes<R, I...>
constexpr R from_span(std::span<typename R::value_type const> elements, I... sizes) {
  R result = uninitialised<R>(sizes...);
  if (static_cast<std::int64_t>(elements.size()) != result.size()) {
    std::string const expected = concatenate({decimal(result.size()), " elements"});
    std::string const got = decimal(static_cast<std::int64_t>(elements.size()));
    fail<ShapeError>({"from_span", {}, expected, got, R::spec.view()});
  }
  result.set_elements([&](auto* to) { std::copy(elements.begin(), elements.end(), to); });
  return result;
}
template <TensorType R, class... I, class M = SizesMistake<FromSpanName, R, I...>>
auto from_span(std::span<typename R::value_type const> elements, I... sizes) -> M;

}  // namespace tenon::internal

namespace tenon {

using internal::eye;
using internal::from_span;
using internal::full;
using internal::iota;
using internal::ones;
using internal::zeros;

}  // namespace tenon
