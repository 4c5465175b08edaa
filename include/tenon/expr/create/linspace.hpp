#pragma once

#include <array>

#include <tenon/expr/create/create.hpp>

namespace tenon::internal {

struct LinspaceName {
  static constexpr std::string_view name = "linspace";
};

/// Evenly spaced numbers from `first` to `last`, both included; a single element is `first`:
/// `linspace<Float32<"t">>(0, 1, 101)`. NumPy, PyTorch: `linspace`.
template <TensorType R, class... I>
  requires TakesSizes<R, I...> && (R::rank == 1) && std::floating_point<typename R::value_type>
constexpr R linspace(double from, double to, I... sizes) {
  using T = typename R::value_type;
  T const first = static_cast<T>(from), last = static_cast<T>(to);
  R result = uninitialised<R>(sizes...);
  std::int64_t const steps = result.size() - 1;
  result.set_elements([=](T* elements) {
    for (std::int64_t i = 0; i <= steps; ++i) {
      double const share = steps == 0 ? 0.0 : static_cast<double>(i) / static_cast<double>(steps);
      elements[i] = static_cast<T>((1 - share) * double(first) + share * double(last));
    }
  });
  return tracing::created(std::move(result), LinspaceName::name, std::array{first, last});
}
template <TensorType R, class... I>
  requires(!TakesSizes<R, I...>)
constexpr auto linspace(double, double, I... sizes) -> SizesMistake<LinspaceName, R, I...>;

}  // namespace tenon::internal

namespace tenon {

using internal::linspace;

}  // namespace tenon
