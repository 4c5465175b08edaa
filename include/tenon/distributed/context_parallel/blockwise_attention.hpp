#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <tenon/distributed/communication/split.hpp>
#include <tenon/expr/view/rearrange.hpp>
#include <tenon/nn/attention.hpp>

/// Blockwise attention: the local computation for each block of keys and values, forward and
/// backward. There is one tensor type per dtype, whatever the axes of the caller.
namespace tenon::internal {

/// The scores of queries and keys, or an error type.
template <class Q, class K>
using ScoresOf =
    decltype(einsum<"batch query head feature, batch key head feature -> "
                    "batch head query key">(std::declval<Q const&>(), std::declval<K const&>()));

template <class T>
using QueryRows = Tensor<T, "batch query head feature">;
template <class T>
using KeyRows = Tensor<T, "batch key head feature">;
template <class T>
using HeadRows = Tensor<T, "batch head query feature">;
template <class T>
using PerQuery = Tensor<T, "batch head query">;
template <class T>
using Scores = Tensor<T, "batch head query key">;

/// A range of local queries, [begin, end), with its mask against a block of keys: none, or causal
/// at the same positions.
struct QueryRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  bool sees_all = true;

  QueryRange meets(bool all) const { return {begin, end, all}; }
};

/// Short ranges of queries, so that their scores stay in cache. One query at a time, with its
/// visible keys only, if keys or values may be NaN or infinite, since a matmul would multiply these
/// by a masked 0.
inline std::vector<QueryRange> query_ranges(std::int64_t count, bool hides_infinite) {
  std::int64_t const at_once = hides_infinite ? 1 : queries_at_once;
  std::vector<QueryRange> ranges;
  for (std::int64_t begin = 0; begin < count; begin += at_once)
    ranges.push_back({begin, (std::min)(begin + at_once, count), true});
  return ranges;
}

/// The keys, or values, of a block that are visible to any of the queries.
template <class T>
KeyRows<T> seen_of(KeyRows<T> const& block, QueryRange const& queries) {
  if (queries.sees_all || queries.end == at(block.sizes(), 1)) return block;
  return slice<1>(block, 0, queries.end);
}

/// The scores of queries and keys; -inf if masked.
template <class T>
Scores<T> scores_in(QueryRows<T> const& q, KeyRows<T> const& seen, QueryRange const& queries) {
  Scores<T> const scores = scores_of(q, seen) * attention_scale(q);
  if (queries.sees_all) return scores;
  return where(causal_mask(queries.begin, queries.end), scores,
               -std::numeric_limits<T>::infinity());
}

/// Adds rows to those of `to` from `begin` on.
template <int axis, TensorType X, TensorType Part>
void add_rows(X& to, Part const& part, std::int64_t begin) {
  mpi::Cut const cut(to.sizes(), X::rank, axis);
  std::int64_t const row = at(to.sizes(), axis) * cut.inner;
  std::int64_t const count = at(part.sizes(), axis) * cut.inner;
  auto const* from = part.data();
  auto* sum = to.own_memory() + begin * cut.inner;
  for (std::int64_t o = 0; o < cut.outer; ++o, sum += row, from += count)
    for (std::int64_t i = 0; i < count; ++i) sum[i] += from[i];
}

template <TensorType X>
X zeros_of(Sizes const& sizes) {
  X result = X::uninitialised(sizes);
  std::fill_n(result.own_memory(), result.size(), typename X::value_type{});
  return result;
}

/// The shift of scores: the maximum, or zero if all are -inf.
template <class T>
auto measured_from(PerQuery<T> const& largest) {
  return where(largest == -std::numeric_limits<T>::infinity(), T(0), largest);
}

/// Online softmax over blocks: sums of exp(score - largest), and of values weighted by it. If a
/// block has a larger score, earlier sums are rescaled. A query without visible keys in a block is
/// unchanged. M. Milakov, N. Gimelshein, "Online normalizer calculation for softmax", 2018.
template <class T>
struct GatheredSoFar {
  QueryRange queries;
  QueryRows<T> q;
  PerQuery<T> largest, sum;
  HeadRows<T> weighted;

  GatheredSoFar(QueryRows<T> const& all, QueryRange const& range)
      : queries(range), q(slice<1>(all, range.begin, range.end)) {
    Sizes const s = q.sizes();
    largest = full<PerQuery<T>>(-std::numeric_limits<T>::infinity(), s[0], s[2], s[1]);
    sum = zeros<PerQuery<T>>(s[0], s[2], s[1]);
    weighted = zeros<HeadRows<T>>(s[0], s[2], s[1], s[3]);
  }

  void add(KeyRows<T> const& k, KeyRows<T> const& v, bool sees_all) {
    QueryRange const meeting = queries.meets(sees_all);
    Scores<T> const scores = scores_in(q, seen_of(k, meeting), meeting);
    PerQuery<T> const now = (tenon::max)(largest, tenon::max<"key">(scores));
    PerQuery<T> const from = measured_from(now);
    PerQuery<T> const faded = exp(largest - from);
    Scores<T> const shares = exp(scores - from);
    sum = eval(sum * faded + tenon::sum<"key">(shares));
    weighted =
        eval(einsum<"batch head query key, batch key head feature -> batch head query feature">(
                 shares, seen_of(v, meeting)) +
             weighted * faded);
    largest = now;
  }

  /// The result: values averaged by softmax.
  QueryRows<T> values() const {
    return rearrange<"batch head query feature -> batch query head feature">(weighted / sum);
  }
  /// The log-sum-exp of scores, which the backward needs.
  PerQuery<T> log_sums() const { return log(sum) + measured_from(largest); }
};

/// Backward for a range of queries: every block contributes to their adjoint, and they to that of
/// the block. Probabilities are recomputed from the log-sum-exps. A query with a zero adjoint
/// propagates nothing, even if its value is not finite. T. Dao, "FlashAttention-2", 2023, algorithm
/// 2.
template <class T>
struct QueryAdjoints {
  QueryRange queries;
  QueryRows<T> q, dy;
  PerQuery<T> log_sums, shared;  ///< `shared`: sum of dy y, subtracted from each score.
  PerQuery<bool> passes_on;      ///< Whether its adjoint is nonzero.

  QueryAdjoints(QueryRows<T> const& all, QueryRows<T> const& y, QueryRows<T> const& adjoint,
                PerQuery<T> const& sums, QueryRange const& range)
      : queries(range),
        q(slice<1>(all, range.begin, range.end)),
        dy(slice<1>(adjoint, range.begin, range.end)),
        log_sums(slice<2>(sums, range.begin, range.end)) {
    QueryRows<T> const own = slice<1>(y, range.begin, range.end);
    shared = rearrange<"batch query head -> batch head query">(tenon::sum<"feature">(own * dy));
    passes_on = rearrange<"batch query head -> batch head query">(any<"feature">(dy != T(0)));
  }

  void pull(KeyRows<T> const& k, KeyRows<T> const& v, bool sees_all, QueryRows<T>& dq,
            KeyRows<T>& dk, KeyRows<T>& dv) const {
    QueryRange const meeting = queries.meets(sees_all);
    KeyRows<T> const seen = seen_of(k, meeting);
    Scores<T> const weights = where(passes_on, exp(scores_in(q, seen, meeting) - log_sums), T(0));
    Scores<T> const change = scores_of(dy, seen_of(v, meeting));
    Scores<T> const pulled =
        where(passes_on, (change - shared) * weights * attention_scale(q), T(0));
    auto const by_query = rearrange<"batch head query -> batch query head">(passes_on);
    add_rows<1>(dq, eval(where(by_query, weigh_values(pulled, seen), T(0))), queries.begin);
    add_rows<1>(dk, eval(scattered(pulled, QueryRows<T>(where(by_query, q, T(0))))), 0);
    add_rows<1>(dv, eval(scattered(weights, dy)), 0);
  }

 private:
  static auto scattered(Scores<T> const& weights, QueryRows<T> const& x) {
    return einsum<"batch head query key, batch query head feature -> batch key head feature">(
        weights, x);
  }
};

}  // namespace tenon::internal
