#pragma once

#include <tenon/distributed/sharding/elementwise.hpp>
#include <tenon/expr/contract/convolve.hpp>
#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/reduction/reduction.hpp>
#include <tenon/op/cast.hpp>

/// Compile-time errors for functions without a rule for sharded tensors. Use `on_shards` if the
/// required axes are not sharded, or `unshard`.
namespace tenon::internal {

template <class First, class... Rest>
constexpr auto first_shard_spec() {
  if constexpr (AnyShard<First>) return First::spec;
  else return first_shard_spec<Rest...>();
}

template <Spec Operation, class... X>
  requires(AnyShard<X> || ...)
using UnknownOverShards = typename std::type_identity<
    error::is_not_known_over_shards<Operation, first_shard_spec<X...>()>>::type;

template <Axes, class... X>
auto cumsum(X const&...) -> UnknownOverShards<"cumsum", X...>;
template <Axes, class... X>
auto cumprod(X const&...) -> UnknownOverShards<"cumprod", X...>;
template <Axes, class... X>
auto sort(X const&...) -> UnknownOverShards<"sort", X...>;
template <Axes, class... X>
auto argsort(X const&...) -> UnknownOverShards<"argsort", X...>;
template <Axes, std::int64_t, class... X>
auto topk(X const&...) -> UnknownOverShards<"topk", X...>;
template <Axes, class... X>
auto take_along(X const&...) -> UnknownOverShards<"take_along", X...>;
template <Axes, class... X>
auto pick(X const&...) -> UnknownOverShards<"pick", X...>;
template <Axes, class... X>
auto set(X const&...) -> UnknownOverShards<"set", X...>;
template <Spec, class T = float, class... X>
auto one_hot(X const&...) -> UnknownOverShards<"one_hot", X...>;

template <Spec, class... X>
auto reshape(X const&...) -> UnknownOverShards<"reshape", X...>;
template <Axes = every, class... X>
auto flatten(X const&...) -> UnknownOverShards<"flatten", X...>;
template <Spec, class... X>
auto expand(X const&...) -> UnknownOverShards<"expand", X...>;
template <Axes, std::int64_t..., AnyShard X>
auto split(X const&) -> UnknownOverShards<"split", X>;
template <Spec, class Op, class... X>
auto reduce(X const&...) -> UnknownOverShards<"reduce", X...>;
template <class... X>
auto diagonal(X const&...) -> UnknownOverShards<"diagonal", X...>;
template <class... X>
auto trace(X const&...) -> UnknownOverShards<"trace", X...>;
template <class... X>
auto diag(X const&...) -> UnknownOverShards<"diag", X...>;
template <class... X>
auto tril(X const&...) -> UnknownOverShards<"tril", X...>;
template <class... X>
auto triu(X const&...) -> UnknownOverShards<"triu", X...>;

template <Axes, Sliding = Sliding{}, class... X>
auto convolve(X const&...) -> UnknownOverShards<"convolve", X...>;
template <Axes, std::int64_t, Sliding = Sliding{}, class... X>
auto max_pool(X const&...) -> UnknownOverShards<"max_pool", X...>;
template <Axes, std::int64_t, Sliding = Sliding{}, class... X>
auto max_pool_with_indices(X const&...) -> UnknownOverShards<"max_pool_with_indices", X...>;
template <Axes, std::int64_t, Sliding = Sliding{}, class... X>
auto avg_pool(X const&...) -> UnknownOverShards<"avg_pool", X...>;
template <class... X>
auto dot(X const&...) -> UnknownOverShards<"dot", X...>;
template <class... X>
auto outer(X const&...) -> UnknownOverShards<"outer", X...>;

template <Axes = every, class... X>
auto norm(X const&...) -> UnknownOverShards<"norm", X...>;
template <Axes = every, class... X>
auto stddev(X const&...) -> UnknownOverShards<"stddev", X...>;
template <Axes = every, class... X>
auto var(X const&...) -> UnknownOverShards<"var", X...>;
template <Axes, class X>
auto softmax(X const&, Keep) -> UnknownOverShards<"softmax with keep", X>;
template <Axes, class X>
auto log_softmax(X const&, Keep) -> UnknownOverShards<"log_softmax with keep", X>;
template <Axes, class X>
auto logsumexp(X const&, Keep) -> UnknownOverShards<"logsumexp with keep", X>;
template <Axes = every, class X>
auto any(X const&, Keep) -> UnknownOverShards<"any with keep", X>;
template <Axes = every, class X>
auto all(X const&, Keep) -> UnknownOverShards<"all with keep", X>;
template <Axes = every, class X>
auto argmax(X const&, Keep) -> UnknownOverShards<"argmax with keep", X>;
template <Axes = every, class X>
auto argmin(X const&, Keep) -> UnknownOverShards<"argmin with keep", X>;

template <class... X>
auto cholesky(X const&...) -> UnknownOverShards<"cholesky", X...>;
template <class... X>
auto qr(X const&...) -> UnknownOverShards<"qr", X...>;
template <class... X>
auto svd(X const&...) -> UnknownOverShards<"svd", X...>;
template <class... X>
auto det(X const&...) -> UnknownOverShards<"det", X...>;
template <class... X>
auto eigh(X const&...) -> UnknownOverShards<"eigh", X...>;
template <class... X>
auto solve(X const&...) -> UnknownOverShards<"solve", X...>;
template <class... X>
auto inverse(X const&...) -> UnknownOverShards<"inverse", X...>;

template <class = op::mean, class... X>
auto l1_loss(X const&...) -> UnknownOverShards<"l1_loss", X...>;
template <class = op::mean, class... X>
auto mse_loss(X const&...) -> UnknownOverShards<"mse_loss", X...>;
template <class = op::mean, class... X>
auto smooth_l1_loss(X const&...) -> UnknownOverShards<"smooth_l1_loss", X...>;
template <class = op::mean, class... X>
auto huber_loss(X const&...) -> UnknownOverShards<"huber_loss", X...>;
template <Axes, class = op::mean, class... X>
auto nll_loss(X const&...) -> UnknownOverShards<"nll_loss", X...>;
template <class... X>
auto isclose(X const&...) -> UnknownOverShards<"isclose", X...>;
template <class... X>
auto allclose(X const&...) -> UnknownOverShards<"allclose", X...>;
template <class X, class V>
auto full_like(X const&, V) -> UnknownOverShards<"full_like", X>;
template <class X>
auto zeros_like(X const&) -> UnknownOverShards<"zeros_like", X>;
template <class X>
auto ones_like(X const&) -> UnknownOverShards<"ones_like", X>;

/// Casts to another dtype.
template <class T, AnyShard X>
  requires is_dtype<T>
auto to(X&& x) -> decltype(map<op::Cast<T>>(std::forward<X>(x))) {
  return map<op::Cast<T>>(std::forward<X>(x));
}

// A plain tensor among sharded ones.
template <class X, class Y, class R = OnNoMesh<MatmulName, X, Y>>
auto matmul(X&& x, Y&& y) -> R;
template <Spec pattern, class X, class Y, class R = OnNoMesh<EinsumName, X, Y>>
auto einsum(X&& x, Y&& y) -> R;
template <Axes, class X, class Y, class R = OnNoMesh<TakeName, X, Y>>
auto take(X&& table, Y&& ids) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::all;
using internal::allclose;
using internal::any;
using internal::argmax;
using internal::argmin;
using internal::argsort;
using internal::avg_pool;
using internal::cholesky;
using internal::convolve;
using internal::cumprod;
using internal::cumsum;
using internal::det;
using internal::diag;
using internal::diagonal;
using internal::dot;
using internal::eigh;
using internal::einsum;
using internal::expand;
using internal::flatten;
using internal::full_like;
using internal::huber_loss;
using internal::inverse;
using internal::isclose;
using internal::l1_loss;
using internal::log_softmax;
using internal::logsumexp;
using internal::matmul;
using internal::max_pool;
using internal::max_pool_with_indices;
using internal::mse_loss;
using internal::nll_loss;
using internal::norm;
using internal::one_hot;
using internal::ones_like;
using internal::outer;
using internal::pick;
using internal::qr;
using internal::reduce;
using internal::reshape;
using internal::set;
using internal::smooth_l1_loss;
using internal::softmax;
using internal::solve;
using internal::sort;
using internal::split;
using internal::stddev;
using internal::svd;
using internal::take;
using internal::take_along;
using internal::to;
using internal::topk;
using internal::trace;
using internal::tril;
using internal::triu;
using internal::var;
using internal::zeros_like;

}  // namespace tenon
