#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/core/error.hpp>
#include <tenon/eval/assemble.hpp>
#include <tenon/expr/create/create.hpp>
#include <tenon/expr/join/join.hpp>
#include <tenon/expr/view/row.hpp>
#include <tenon/tree/tree.hpp>

/// Sequences: a tensor, or a tuple, pair or array of sequences, with one position per step along an
/// axis. An integer n is the sequence of the positions 0 to n - 1.
namespace tenon::internal::sequence {

struct ScanName {
  static constexpr std::string_view name = "scan";
};

template <class X>
concept SequenceTuple = tree::is_tuple<X> || tree::is_array<X>;

template <std::size_t k, class F, class... X>
auto map_element(F const& f, X const&... x) {
  return f(std::get<k>(x)...);
}

/// The tuple, pair or array of the values of a function of the elements of others like it.
template <class F, class First, class Second, class... Rest>
auto map_elements(F const& f, std::pair<First, Second> const& x, Rest const&... rest) {
  return std::pair{f(x.first, rest.first...), f(x.second, rest.second...)};  // in this order
}
template <class F, class... X, class... Rest>
auto map_elements(F const& f, std::tuple<X...> const& x, Rest const&... rest) {
  return [&]<std::size_t... k>(std::index_sequence<k...>) {
    return std::tuple<decltype(map_element<k>(f, x, rest...))...>{map_element<k>(f, x, rest...)...};
  }(std::index_sequence_for<X...>());
}
template <class F, class X, std::size_t size, class... Rest>
auto map_elements(F const& f, std::array<X, size> const& x, Rest const&... rest) {
  using Y = decltype(map_element<0>(f, x, rest...));
  return [&]<std::size_t... k>(std::index_sequence<k...>) {
    return std::array<Y, size>{map_element<k>(f, x, rest...)...};
  }(std::make_index_sequence<size>());
}

/// The values of a function of the tensors, or integers, at the same places of sequences.
template <class F, class X, class... Rest>
auto map_parts(F const& f, X const& x, Rest const&... rest) {
  if constexpr (!SequenceTuple<X>) return f(x, rest...);
  else
    return map_elements([&](auto const&... parts) { return map_parts(f, parts...); }, x, rest...);
}

template <Axes axes, class X>
inline constexpr int axis_of = Chosen<axes, X>::value.axis();

/// The number of steps of a sequence. Throws `ShapeError` where its parts differ in it.
template <Axes axes, class X>
std::int64_t steps_of(X const& x) {
  std::int64_t steps = -1;
  (void)map_parts(
      [&]<class Part>(Part const& part) {
        std::int64_t own = 0;
        if constexpr (std::integral<Part>) own = static_cast<std::int64_t>(part);
        else own = at(part.sizes(), axis_of<axes, Part>);
        if (steps >= 0 && own != steps)
          fail<ShapeError>({ScanName::name,
                            axes.names.view(),
                            std::to_string(steps) + " steps",
                            std::to_string(own),
                            {}});
        return steps = own;
      },
      x);
  return steps;
}

/// What one step takes of a sequence: tensors without the axis, or the position.
template <Axes axes, class X>
auto at_step(X const& x, std::int64_t step) {
  return map_parts(
      [&]<class Part>(Part const& part) {
        if constexpr (std::integral<Part>) return static_cast<Part>(step);
        else return eval(take<axes>(part, step));
      },
      x);
}

/// A step of zeros, for the sizes of what a step returns where there is none.
template <Axes axes, class X>
auto step_of_zeros(X const& x) {
  return map_parts(
      [&]<class Part>(Part const& part) {
        if constexpr (std::integral<Part>) return Part(0);
        else {
          using Row = TensorOf<decltype(take<axes>(part, 0))>;
          constexpr AxisMap order = order_without(Part::rank, axis_of<axes, Part>);
          return filled(Row::uninitialised(view_sizes(part.sizes(), order, Row::rank)), {});
        }
      },
      x);
}

/// The axis of a sequence's steps: that of its first tensor, or the name beside an integer.
template <Axes axes, class X>
constexpr Axis axis_of_steps() {
  if constexpr (std::integral<X>) return named_axis(axes.names.view());
  else if constexpr (Expression<X>) return X::shape[axis_of<axes, X>];
  else return axis_of_steps<axes, Unqualified<decltype(std::get<0>(std::declval<X>()))>>();
}

/// The shape of a value with a new first axis: for all steps of `X`, or for some of them.
template <Axes axes, class X, class Y>
struct AllStepsRule {
  static constexpr Shape shape = inserted(Y::shape, 0, axis_of_steps<axes, X>());
};
template <class Y>
struct SomeStepsRule {
  static constexpr Shape shape = inserted(Y::shape, 0, Axis{});
};
/// The shape of a value, of that of some steps.
template <class Some>
struct OneStepRule {
  static constexpr Shape shape = removed(Some::shape, 0);
};

template <class Rule, class Y>
using OfSteps = Tensor<typename Y::value_type, spec_of<Rule>, typename Y::device>;

template <class Y>
Sizes with_steps(Y const& y, std::int64_t steps) {
  Sizes sizes = unit_sizes();
  at(sizes, 0) = steps;
  for (int i = 0; i < Y::shape.rank; ++i) at(sizes, i + 1) = at(y.sizes(), i);
  return sizes;
}

/// An uninitialised sequence of `steps` values like `y`.
template <Axes axes, class X, class Y>
auto room_for(Y const& y, std::int64_t steps) {
  return map_parts(
      [&]<class Part>(Part const& part) {
        using R = OfSteps<AllStepsRule<axes, X, Part>, Part>;
        return R::uninitialised(with_steps(part, steps));
      },
      y);
}

/// Sets the part of a sequence along an axis that belongs to one step.
template <Axes axes, class X, class Y>
void set_step(X& x, std::int64_t step, Y const& y) {
  if constexpr (Expression<X>) {
    constexpr int axis = axis_of<axes, X>;
    Sizes const strides = row_major(x.sizes(), X::rank);
    Sizes own{};
    for (int i = 0, k = 0; i < X::rank; ++i)
      if (i != axis) at(own, k++) = at(strides, i);
    fill_box<X>(x.own_memory() + step * at(strides, axis), as_part(y), own);
  } else if constexpr (SequenceTuple<X>) {
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      (set_step<axes>(std::get<k>(x), step, std::get<k>(y)), ...);
    }(std::make_index_sequence<std::tuple_size_v<X>>());
  }
}

/// The sequence of one value, and those of two parts of a sequence, as recorded functions.
template <class Y>
auto one_step(Y const& y) {
  return map_parts(
      []<class Part>(Part const& part) {
        return reshaped<OfSteps<SomeStepsRule<Part>, Part>>(eval(part), with_steps(part, 1));
      },
      y);
}
template <class Some>
Some join_steps(Some const& first, Some const& second) {
  return map_parts(
      []<class Part>(Part const& a, Part const& b) {
        auto const joined = concat<0>(a, b);
        return reshaped<Part>(joined, joined.sizes());
      },
      first, second);
}
/// `step(i)` for i from `from` to before `to`, at least one, as one sequence: they are made in
/// order, and joined in halves.
template <class F>
auto join_range(F const& step, std::int64_t from, std::int64_t to) -> decltype(step(from)) {
  if (to - from == 1) return step(from);
  std::int64_t const middle = from + (to - from) / 2;
  auto const first = join_range(step, from, middle);
  return join_steps(first, join_range(step, middle, to));
}
template <Axes axes, class X, class Some>
auto all_steps(Some const& some) {
  return map_parts(
      []<class Part>(Part const& part) {
        using R = OfSteps<AllStepsRule<axes, X, OneStepRule<Part>>, Part>;
        return reshaped<R>(part, part.sizes());
      },
      some);
}

}  // namespace tenon::internal::sequence
