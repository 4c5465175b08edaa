#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <tenon/autodiff/scan.hpp>

/// Functions of one element of a batch, for all of them.
namespace tenon::internal::sequence {

struct VmapName {
  static constexpr std::string_view name = "vmap";
};

/// Which arguments have the axis. The k-th one is an element of one of two tuples: of those that
/// have it, and of the others.
template <Axes axis, class... X>
struct MappedArguments {
  static constexpr std::array<bool, sizeof...(X)> has{HasAxes<axis, X>...};

  static constexpr std::size_t place(std::size_t k) {
    std::size_t before = 0;
    for (std::size_t i = 0; i < k; ++i)
      before += has[i] == has[k] ? std::size_t{1} : std::size_t{0};
    return before;
  }
  template <std::size_t k, class Slices, class Others>
  static auto const& pick(Slices const& slices, Others const& others) {
    if constexpr (has[k]) return std::get<place(k)>(slices);
    else return std::get<place(k)>(others);
  }
  /// The arguments, as values, that have the axis or that do not.
  template <bool with_axis>
  static auto select(X const&... x) {
    auto const one = []<class Argument>(Argument const& argument) {
      if constexpr (HasAxes<axis, Argument> == with_axis)
        return std::tuple<decltype(as_value(argument))>(as_value(argument));
      else return std::tuple<>();
    };
    return std::tuple_cat(one(x)...);
  }
};

/// A function of arguments in two tuples.
template <class F, class Arguments, std::size_t... k>
struct CallBySlices {
  F f;

  template <class Slices, class Others>
  auto operator()(Slices const& slices, Others const& others) const {
    return as_value(f(Arguments::template pick<k>(slices, others)...));
  }
};

/// The values of a function that are tensors, or tuples of them: along a new first axis.
template <Axes axis, class Call, class Xs, class Others>
auto stack_values(Call const& call, Xs const& xs, Others const& others) {
  auto const step = [call](std::tuple<> const& carry, auto const& slices, Others const& same) {
    return std::pair(carry, call(slices, same));
  };
  return scan<axis>(step, std::tuple<>(), xs, others).second;
}

/// Other trees: one for each element.
template <Axes axis, class Call, class Xs, class Others>
auto list_values(Call const& call, Xs const& xs, Others const& others) {
  std::vector<decltype(call(at_step<axis>(xs, 0), others))> values;
  std::int64_t const steps = steps_of<axis>(xs);
  for (std::int64_t i = 0; i < steps; ++i) values.push_back(call(at_step<axis>(xs, i), others));
  return values;
}

/// What a function takes in place of an argument: a tensor that has the axis without it.
template <Axes axis, class X>
auto slice_of(X const& x) {
  if constexpr (HasAxes<axis, X>) return eval(take<axis>(x, 0));
  else return as_value(x);
}
template <Axes axis, class X>
using SliceOf = decltype(slice_of<axis>(std::declval<X const&>()));

/// Names the reason why a function is not mapped, or `void`.
template <Axes axis, class F, class... X>
constexpr auto vmap_mistake() {
  constexpr bool any = (HasAxes<axis, X> || ...);
  if constexpr (!any && (Expression<X> || ...))
    return first_reason<typename decltype([] {
      if constexpr (Expression<X>) return axes_mistake<VmapName, axis, 1, X>();
      else return std::type_identity<void>{};
    }())::type...>();
  else if constexpr (!any || !CallableWith<F const&, SliceOf<axis, X> const&...>)
    return std::type_identity<
        error::function_does_not_take<spec_of_name<VmapName>, SliceOf<axis, X>...>>{};
  else return std::type_identity<void>{};
}
template <Axes axis, class F, class... X>
using VmapMistake = typename decltype(vmap_mistake<axis, F, Unqualified<X>...>())::type;

/// A function over an axis.
template <Axes axis, class F>
struct Vmap {
  F f;

  template <class... X>
    requires std::is_void_v<VmapMistake<axis, F, X...>>
  auto operator()(X const&... x) const {
    using Arguments = MappedArguments<axis, X...>;
    auto const call = [&]<std::size_t... k>(std::index_sequence<k...>) {
      return CallBySlices<F, Arguments, k...>{f};
    }(std::index_sequence_for<X...>());
    auto const xs = Arguments::template select<true>(x...);
    auto const others = Arguments::template select<false>(x...);
    if constexpr (is_output<Unqualified<decltype(call(at_step<axis>(xs, 0), others))>>)
      return stack_values<axis>(call, xs, others);
    else return list_values<axis>(call, xs, others);
  }
  template <class... X, Mistake M = VmapMistake<axis, F, X...>>
  auto operator()(X const&... x) const -> M;
};

/// The function of one element for a whole axis: `vmap<"sample">(f)(x, y)` calls f for each
/// position of the axis, on the tensors that have it without it, on other arguments as they are,
/// and stacks what it returns along that axis, the first one: tensors, or tuples of them; of other
/// trees it gives a `std::vector`. It is a loop, as `scan`: a function of tensors that broadcasts
/// is faster on the whole batch. Gradients of each sample: `vmap<"sample">(grad(loss))(model, x)`.
/// Gradients reach all arguments; throws `Error` where f captures a recorded value, `ShapeError`
/// where sizes of the axis differ. JAX: `lax.map`, `vmap`. PyTorch: `torch.func.vmap`.
template <Axes axis, class F>
Vmap<axis, F> vmap(F f) {
  return {std::move(f)};
}

}  // namespace tenon::internal::sequence

namespace tenon {

using internal::sequence::vmap;

}  // namespace tenon
