// A function without a sharding rule is an error with its name, and so is a plain tensor combined
// with sharded ones, with its shape. (tests/fail checks the messages.)

#include <tenon/distributed/sharding/on_shards.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/distributed/tensor_parallel/losses.hpp>

#include <doctest/doctest.h>
#include <tenon/eval/print_graph.hpp>
#include <tenon/tenon.hpp>

namespace refused_test {

using namespace tenon;

namespace {

using Rows = Sharded<float, "batch@dp n=4">;
using Square = Sharded<float, "n=4 m=4">;
using Row = Sharded<float, "n=4">;
using Ids = Sharded<std::int64_t, "t@dp">;
using Own = Float32<"n=4">;
using OwnIds = Tensor<std::int64_t, "t">;

/// An operand for unevaluated expressions.
template <class X>
X const& an();

/// True if a type is the error that no sharding rule is known for a function.
template <Spec words, class R>
inline constexpr bool is_unknown = false;
template <Spec words, Spec S>
inline constexpr bool is_unknown<words, compile_error::is_not_known_over_shards<words, S>> = true;

static_assert(is_unknown<"cumsum", decltype(cumsum<"n">(an<Rows>()))>);
static_assert(is_unknown<"cumprod", decltype(cumprod<"n">(an<Rows>()))>);
static_assert(is_unknown<"sort", decltype(sort<"n">(an<Rows>()))>);
static_assert(is_unknown<"argsort", decltype(argsort<"n">(an<Rows>(), descending))>);
static_assert(is_unknown<"topk", decltype(topk<"n", 2>(an<Rows>()))>);
static_assert(is_unknown<"max_pool", decltype(max_pool<"n", 2>(an<Rows>()))>);
static_assert(is_unknown<"avg_pool", decltype(avg_pool<"n", 2>(an<Rows>()))>);
static_assert(
    is_unknown<"max_pool_with_indices", decltype(max_pool_with_indices<"n", 2>(an<Rows>()))>);
static_assert(is_unknown<"take_along", decltype(take_along<"n">(an<Rows>(), an<Ids>()))>);
static_assert(is_unknown<"pick", decltype(pick<"n">(an<Rows>(), an<Ids>()))>);
static_assert(is_unknown<"set", decltype(set<"n">(an<Rows>(), 0, 1.0f))>);
static_assert(is_unknown<"one_hot", decltype(one_hot<"c=4">(an<Ids>()))>);
static_assert(is_unknown<"reshape", decltype(reshape<"a=2 b">(an<Rows>(), 3))>);
static_assert(is_unknown<"flatten", decltype(flatten(an<Rows>()))>);
static_assert(is_unknown<"expand", decltype(expand<"k=3 batch n=4">(an<Rows>()))>);
static_assert(is_unknown<"split", decltype(split<"n", 2>(an<Rows>()))>);
static_assert(is_unknown<"split", decltype(split<"n", 1, 3>(an<Rows>()))>);
static_assert(is_unknown<"diagonal", decltype(diagonal(an<Square>()))>);
static_assert(is_unknown<"trace", decltype(trace(an<Square>()))>);
static_assert(is_unknown<"diag", decltype(diag(an<Row>()))>);
static_assert(is_unknown<"tril", decltype(tril(an<Square>()))>);
static_assert(is_unknown<"triu", decltype(triu(an<Square>(), 1))>);
static_assert(is_unknown<"convolve", decltype(convolve<"n">(an<Row>(), an<Row>()))>);
static_assert(is_unknown<"dot", decltype(dot(an<Row>(), an<Own>()))>);
static_assert(is_unknown<"outer", decltype(outer(an<Row>(), an<Row>()))>);
static_assert(is_unknown<"norm", decltype(norm(an<Rows>()))>);
static_assert(is_unknown<"stddev", decltype(stddev<"n">(an<Rows>()))>);
static_assert(is_unknown<"var", decltype(var<"n">(an<Rows>(), keep))>);
static_assert(is_unknown<"softmax with keep", decltype(softmax<"n">(an<Rows>(), keep))>);
static_assert(is_unknown<"log_softmax with keep", decltype(log_softmax<"n">(an<Rows>(), keep))>);
static_assert(is_unknown<"logsumexp with keep", decltype(logsumexp<"n">(an<Rows>(), keep))>);
static_assert(is_unknown<"any with keep", decltype(any<"n">(an<Rows>() > 0.0f, keep))>);
static_assert(is_unknown<"all with keep", decltype(all<"n">(an<Rows>() > 0.0f, keep))>);
static_assert(is_unknown<"argmax with keep", decltype(argmax<"n">(an<Rows>(), keep))>);
static_assert(is_unknown<"argmin with keep", decltype(argmin<"n">(an<Rows>(), keep))>);
static_assert(is_unknown<"cholesky", decltype(linalg::cholesky(an<Square>()))>);
static_assert(is_unknown<"qr", decltype(linalg::qr(an<Square>()))>);
static_assert(is_unknown<"svd", decltype(linalg::svd(an<Square>()))>);
static_assert(is_unknown<"det", decltype(linalg::det(an<Square>()))>);
static_assert(is_unknown<"eigh", decltype(linalg::eigh(an<Square>()))>);
static_assert(is_unknown<"solve", decltype(linalg::solve(an<Square>(), an<Own>()))>);
static_assert(is_unknown<"inverse", decltype(linalg::inverse(an<Square>()))>);
static_assert(is_unknown<"l1_loss", decltype(l1_loss(an<Rows>(), an<Rows>()))>);
static_assert(is_unknown<"mse_loss", decltype(mse_loss(an<Rows>(), an<Rows>()))>);
static_assert(is_unknown<"smooth_l1_loss", decltype(smooth_l1_loss(an<Rows>(), an<Rows>()))>);
static_assert(is_unknown<"huber_loss", decltype(huber_loss(an<Rows>(), an<Rows>()))>);
static_assert(is_unknown<"nll_loss", decltype(nll_loss<"n">(an<Rows>(), an<Rows>()))>);
static_assert(is_unknown<"isclose", decltype(isclose(an<Rows>(), an<Rows>()))>);
static_assert(is_unknown<"allclose", decltype(allclose(an<Rows>(), an<Rows>()))>);
static_assert(is_unknown<"full_like", decltype(full_like(an<Rows>(), 1.0f))>);
static_assert(is_unknown<"zeros_like", decltype(zeros_like(an<Rows>()))>);
static_assert(is_unknown<"ones_like", decltype(ones_like(an<Rows>()))>);
static_assert(is_unknown<"is_lazy", decltype(is_lazy(an<Rows>()))>);
static_assert(is_unknown<"is_evaluated", decltype(is_evaluated(an<Rows>()))>);
static_assert(is_unknown<"to_vector", decltype(to_vector(an<Rows>()))>);
static_assert(is_unknown<"print_graph", decltype(print_graph(an<Rows>()))>);
static_assert(is_unknown<"mean", decltype(mean<"n">(an<Rows>(), 3))>);

/// A call that is refused is no valid expression.
template <class X>
concept Sorted = requires(X const& x) { sort<"n">(x); };
template <class X>
concept Pooled = requires(X const& x) { max_pool<"n", 2>(x); };
template <class X>
concept Added = requires(X const& x, Own const& own) { x + own; };
static_assert(!Sorted<Rows> && !Pooled<Rows> && !Added<Rows>);
static_assert(Sorted<Own> && Pooled<Own> && Added<Own>);

// A plain tensor with sharded operands: its gradient would include this rank's use only.
static_assert(tenon::internal::Mistake<decltype(an<Rows>() * an<Own>())>);
static_assert(tenon::internal::Mistake<decltype(matmul(an<Rows>(), an<Own>()))>);
static_assert(tenon::internal::Mistake<decltype(matmul(an<Own>(), an<Rows>()))>);
static_assert(tenon::internal::Mistake<decltype(einsum<"b n, n -> b">(an<Rows>(), an<Own>()))>);
static_assert(tenon::internal::Mistake<decltype(where(an<Rows>() > 0.0f, an<Rows>(), an<Own>()))>);
static_assert(tenon::internal::Mistake<decltype(take<"n">(an<Row>(), an<OwnIds>()))>);
static_assert(tenon::internal::Mistake<decltype(take<"n">(an<Own>(), an<Ids>()))>);
static_assert(tenon::internal::Mistake<decltype(cross_entropy<"n">(an<Rows>(), an<OwnIds>()))>);
static_assert(
    tenon::internal::Mistake<decltype(cross_entropy<"n">(sum<"batch">(an<Rows>()), an<Ids>()))>);
static_assert(tenon::internal::Mistake<decltype(mean(an<Ids>()))>);

// With different ids on each rank, each would add to other rows.
using Table = Sharded<float, "word=9@dp e=2">;
using Columns = Sharded<float, "word=9 e=2@dp">;
static_assert(
    std::same_as<decltype(take<"word">(an<Table>(), an<Ids>())),
                 compile_error::mesh_axis_divides_twice<"take", "dp", Table::spec, Ids::spec>>);
static_assert(tenon::internal::Mistake<decltype(take<"word">(an<Columns>(), an<Ids>()))>);

// Functions with sharding rules.
static_assert(sharding_of<decltype(to<double>(an<Rows>()))> == "batch@dp n=4");
static_assert(std::same_as<decltype(eval(an<Rows>() * 2.0f)), Rows>);

}  // namespace

}  // namespace refused_test
