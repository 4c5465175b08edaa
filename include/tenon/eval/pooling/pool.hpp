#pragma once

#include <array>
#include <concepts>
#include <type_traits>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/eval/backend.hpp>
#include <tenon/eval/by_host.hpp>
#include <tenon/eval/custom.hpp>
#include <tenon/eval/pooling/kernel.hpp>
#include <tenon/expr/reduction/pool.hpp>

/// Pooling of a tensor on its device, with gradients. All linear maps of its derivatives are closed
/// under differentiation: the mean and its transpose, gather and scatter at positions.
namespace tenon::internal {

/// The numbers of a call in a trace: of each pooled axis itself, its window, stride, padding,
/// dilation and ceil_mode.
std::vector<std::int64_t> trace_numbers(Pooling const& pooling);

/// `f()`, entered into a trace as a call.
template <class X, class F>
auto trace_pooling(std::string_view name, X const& x, Pooling const& pooling, F const& f) {
  auto const numbers = trace_numbers(pooling);
  return tracing::called(name, pooled_sizes(pooling, x.sizes(), X::rank), numbers, f, x);
}

/// `f` of tensors on the host; as `R` on their device.
template <class R, class F, class... X>
R pooling_by_host(std::string_view name, F const& f, X const&... x) {
  using D = typename std::common_type_t<typename X::device...>;
  return by_host<R, typename BackendOf<D>::host>(D::name, name, f, x...);
}

/// `run` of the elements in the dtype of arithmetic; `run(layout, from, to)`.
template <TensorType R, TensorType X, class F>
R compute_pooling(X const& x, Sizes const& sizes, F const& run) {
  using C = Computed<typename R::value_type>;
  if constexpr (std::same_as<typename R::value_type, C>) {
    R result = R::uninitialised(sizes);
    run(stored_elements(x), result.own_memory());
    return result;
  } else {
    using Wide = Tensor<C, R::spec, typename R::device>;
    Tensor<C, X::spec, typename X::device> const wide = to<C>(x);
    return R(to<typename R::value_type>(compute_pooling<Wide>(wide, sizes, run)));
  }
}

template <TensorType V, TensorType I, TensorType X>
V gather_maxima(X const& x, I const& positions, Pooling const& pooling);

/// The adjoint of the operand of a maximum: that of each result at its position.
template <TensorType X, TensorType I, TensorType V>
X scatter_maxima(V const& dy, I const& positions, Pooling const& pooling, Sizes const& sizes) {
  auto const forward = [=](V const& d) {
    PoolingLayout const layout(pooling, sizes, X::rank);
    return compute_pooling<X>(d, sizes, [&](auto const* from, auto* to) {
      scatter_to_positions<BackendOf<typename X::device>>(layout, from, stored_elements(positions),
                                                          to);
    });
  };
  return custom_vjp(forward, [=](X const& dx, X const&, V const&) -> V {
    return gather_maxima<V>(dx, positions, pooling);
  })(dy);
}

template <TensorType V, TensorType I, TensorType X>
V gather_maxima(X const& x, I const& positions, Pooling const& pooling) {
  auto const forward = [=](X const& from) {
    PoolingLayout const layout(pooling, from.sizes(), X::rank);
    return compute_pooling<V>(from, positions.sizes(), [&](auto const* elements, auto* to) {
      gather_from_positions(layout, elements, stored_elements(positions), to);
    });
  };
  return custom_vjp(forward, [=, sizes = x.sizes()](V const& dy, V const&, X const&) -> X {
    return scatter_maxima<X>(dy, positions, pooling, sizes);
  })(x);
}

/// The maxima of windows and their positions, on the host.
template <class R, TensorType X>
R maxima_with_positions(X const& x, Pooling const& pooling) {
  using T = typename X::value_type;
  Sizes const sizes = pooled_sizes(pooling, x.sizes(), X::rank);
  R result{decltype(R::values)::uninitialised(sizes), decltype(R::indices)::uninitialised(sizes)};
  pool_windows<BackendOf<typename X::device>>(
      PoolingLayout(pooling, x.sizes(), X::rank), stored_elements(x),
      WindowMaxima<T, true>{result.values.own_memory(), result.indices.own_memory()});
  return result;
}

/// The same with gradients.
template <class R, TensorType X>
R record_maxima(X const& x, Pooling const& pooling) {
  auto const forward = [=](X const& at) { return maxima_with_positions<R>(at, pooling); };
  return custom_vjp(forward, [=](R const& d, R const& y, X const& of) -> X {
    return scatter_maxima<X>(d.values, y.indices, pooling, of.sizes());
  })(x);
}

template <TensorType V, TensorType I, TensorType X>
V evaluate_max_pool(X const& x, Pooling const& pooling) {
  if (tracing::is_on())
    return trace_pooling("max_pool", x, pooling,
                         [&] { return evaluate_max_pool<V, I>(x, pooling); });
  if constexpr (!X::device::is_host) {
    auto const f = [=]<class Here>(std::type_identity<Here>, auto const& here) {
      using Positions = typename OtherKind<I, typename Here::device>::type;
      return evaluate_max_pool<Here, Positions>(here, pooling);
    };
    return pooling_by_host<V>("max_pool", f, x);
  } else {
    if constexpr (FloatType<typename X::value_type>)
      if (any_recorded(x)) return record_maxima<MaxPooling<V, I>>(x, pooling).values;
    V result = V::uninitialised(pooled_sizes(pooling, x.sizes(), X::rank));
    pool_windows<BackendOf<typename X::device>>(
        PoolingLayout(pooling, x.sizes(), X::rank), stored_elements(x),
        WindowMaxima<typename X::value_type, false>{result.own_memory(), nullptr});
    return result;
  }
}

/// The result of `max_pool_with_indices`.
template <class R, TensorType X>
R evaluate_max_pool_with_indices(X const& x, Pooling const& pooling) {
  using V = decltype(R::values);
  using I = decltype(R::indices);
  if (tracing::is_on())
    return {evaluate_max_pool<V, I>(x, pooling), trace_pooling("max_pool_indices", x, pooling, [&] {
              return evaluate_max_pool_with_indices<R>(x, pooling).indices;
            })};
  if constexpr (!X::device::is_host) {
    auto const f = [=]<class Here>(std::type_identity<Here>, auto const& here) {
      return evaluate_max_pool_with_indices<Here>(here, pooling);
    };
    return pooling_by_host<R>("max_pool_with_indices", f, x);
  } else {
    if constexpr (FloatType<typename X::value_type>) return record_maxima<R>(x, pooling);
    else return maxima_with_positions<R>(x, pooling);
  }
}

template <TensorType R, TensorType X>
R evaluate_avg_pool(X const& x, Pooling const& pooling);

/// The adjoint of the operand of a mean: every window's equally among its elements.
template <TensorType X, TensorType R>
X spread_over_windows(R const& dy, Pooling const& pooling, Sizes const& sizes) {
  auto const forward = [=](R const& d) {
    PoolingLayout const layout(pooling, sizes, X::rank);
    return compute_pooling<X>(d, sizes, [&](auto const* from, auto* to) {
      spread_means<BackendOf<typename X::device>>(layout, from, to);
    });
  };
  return custom_vjp(forward, [=](X const& dx, X const&, R const&) -> R {
    return evaluate_avg_pool<R>(dx, pooling);
  })(dy);
}

/// The means of windows, on the host.
template <TensorType R, TensorType X>
R window_means(X const& x, Pooling const& pooling) {
  using T = typename R::value_type;
  PoolingLayout const layout(pooling, x.sizes(), X::rank);
  R result = R::uninitialised(pooled_sizes(pooling, x.sizes(), X::rank));
  auto const divisor = static_cast<Computed<T>>(layout.window_size());
  pool_windows<BackendOf<typename X::device>>(layout, stored_elements(x),
                                              WindowMeans<T>{result.own_memory(), divisor});
  return result;
}

template <TensorType R, TensorType X>
R evaluate_avg_pool(X const& x, Pooling const& pooling) {
  if (tracing::is_on())
    return trace_pooling("avg_pool", x, pooling, [&] { return evaluate_avg_pool<R>(x, pooling); });
  if constexpr (!X::device::is_host) {
    auto const f = [=]<class Here>(std::type_identity<Here>, auto const& here) {
      return evaluate_avg_pool<Here>(here, pooling);
    };
    return pooling_by_host<R>("avg_pool", f, x);
  } else {
    auto const forward = [=](X const& at) { return window_means<R>(at, pooling); };
    return custom_vjp(forward, [=](R const& dy, R const&, X const& of) -> X {
      return spread_over_windows<X>(dy, pooling, of.sizes());
    })(x);
  }
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

TENON_RUNTIME std::vector<std::int64_t> trace_numbers(Pooling const& pooling) {
  std::vector<std::int64_t> numbers;
  for (int i = 0; i < max_rank; ++i) {
    if (!pooling.axes[i]) continue;
    Sliding const& of = pooling[i].sliding;
    numbers.insert(numbers.end(),
                   {i, pooling[i].size, of.stride, of.padding, of.dilation, of.ceil_mode});
  }
  return numbers;
}

}  // namespace tenon::internal

#endif
