#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/distributed/sharding/abstract_evaluation.hpp>
#include <tenon/distributed/sharding/local_shard.hpp>
#include <tenon/tensor/number_text.hpp>

namespace tenon::internal {

struct OnShardsName {
  static constexpr std::string_view name = "on_shards";
};

/// The abstract first or last shard in place of a sharded operand; numbers are passed unchanged.
template <int i, class X>
auto abstract_shard(X const& x, bool is_last) {
  if constexpr (!requires { x.unchecked_local.sizes(); }) return GlobalOperand<i, X>::of(x);
  else
    return AbstractOperand<i, typename X::value_type, spec_of<typename ShardingOf<X::spec>::Local>,
                           typename X::device>(sizes_of_end_shard<X::spec>(x.place, is_last));
}

/// The constants of an expression in order, and the places where its slices start.
template <class E>
void add_numbers(std::vector<std::complex<double>>& numbers, E const& e) {
  if constexpr (is_constant<E>) {
    if constexpr (requires { e.value.imag(); })
      numbers.emplace_back(e.value.real(), e.value.imag());
    else numbers.emplace_back(static_cast<double>(e.value));
  }
  if constexpr (is_index_map<E>)
    for (auto const start : e.start) numbers.emplace_back(static_cast<double>(start));
  each_operand(e, [&](auto const& operand) { add_numbers(numbers, operand); });
}
template <class E>
std::vector<std::complex<double>> numbers_of(E const& e) {
  std::vector<std::complex<double>> numbers;
  add_numbers(numbers, e);
  return numbers;
}

inline std::string text_of(std::complex<double> number) {
  return number.imag() == 0 ? lone_number(number.real()) : constant_text(number);
}

/// Throws `ValueError` if numbers of a shard differ from those of the whole tensor.
inline void compare_numbers(std::vector<std::complex<double>> const& whole,
                            std::vector<std::complex<double>> const& local) {
  auto const differ = [](auto a, auto b) { return a != b && (a == a || b == b); };
  for (std::size_t k = 0; k < (std::min)(whole.size(), local.size()); ++k)
    if (differ(whole[k], local[k]))
      fail<ValueError>({OnShardsName::name,
                        {},
                        "a function that reads no size of a divided axis",
                        "the number " + text_of(local[k]) + " of a shard, " + text_of(whole[k]) +
                            " of the whole tensor: read sizes() of the sharded tensor before"});
}

/// Throws `ValueError`, on all ranks, if `f` computes other numbers from the sizes of a shard than
/// from those of the whole tensors. (The result would depend on the number of ranks.)
template <class F, std::size_t... i, class... X>
void check_numbers(F const& f, std::index_sequence<i...>, X const&... x) {
  auto const whole = numbers_of(f(GlobalOperand<static_cast<int>(i), X>::of(x)...));
  for (bool const is_last : {false, true})
    compare_numbers(whole, numbers_of(f(abstract_shard<static_cast<int>(i)>(x, is_last)...)));
}

/// A function of tensors, applied to sharded tensors.
template <class F>
struct OnShards {
  F f;

  template <class... X, WellFormed R = ShardedResult<OnShardsName, F, X&&...>>
  auto operator()(X&&... x) const -> R {
    check_numbers(f, std::index_sequence_for<X...>(), x...);
    return over_shards<R>(f, std::forward<X>(x)...);
  }
  template <class... X, IllFormed R = ShardedResult<OnShardsName, F, X&&...>>
  auto operator()(X&&... x) const -> R;
};

/// Applies a function of elementwise ops, reductions, views and matmuls to sharded tensors, for
/// example a layer norm or a custom block. It is one kernel, as for tensors; operations along a
/// sharded axis do not compile. `f` is called with local shards, and on them without elements: it
/// has no side effects. Throws `ValueError` if it computes a number from the size of a sharded
/// axis, which is that of one shard: capture a size of the sharded tensor instead.
template <class F>
OnShards<F> on_shards(F f) {
  return {std::move(f)};
}

}  // namespace tenon::internal

namespace tenon {

using internal::on_shards;

}  // namespace tenon
