#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/distributed/collectives/along.hpp>
#include <tenon/distributed/communication/topology.hpp>
#include <tenon/distributed/context_parallel/blockwise_attention.hpp>
#include <tenon/distributed/context_parallel/ring.hpp>
#include <tenon/distributed/context_parallel/sharded_attention.hpp>

/// Attention with a sequence that is sharded over ranks.
namespace tenon::internal {

struct RingAttentionName {
  static constexpr std::string_view name = "ring_attention";
};

namespace mpi {

/// Casts to the compute dtype.
template <class R, TensorType X>
R computed(X const& x) {
  if constexpr (std::same_as<R, X>) return x;
  else return to<typename R::value_type>(x);
}

/// The result of attention, and what its backward needs.
template <class T>
struct Attended {
  QueryRows<T> values;
  PerQuery<T> log_sums;
};

/// The queries of a rank, in ranges by their mask against a block of keys.
template <class T, class K>
std::vector<QueryRange> query_ranges(Ring const& ring, QueryRows<T> const& q,
                                     KeysAndValues<K> const& own) {
  bool const hides = ring.is_causal && hides_infinite<true>(q, own.keys, own.values);
  return tenon::internal::query_ranges(at(q.sizes(), 1), hides);
}

template <class T, class K>
Attended<T> attended_around(Ring const& ring, Call const& call, QueryRows<T> const& q,
                            KeysAndValues<K> const& own) {
  std::vector<GatheredSoFar<T>> all;
  for (auto const& range : query_ranges(ring, q, own)) all.emplace_back(q, range);
  around(ring, call, own, [&](int step, auto const& block, Transfers& transfers) {
    if (ring.keys_at(step) == 0) return;
    auto const k = computed<KeyRows<T>>(block.keys), v = computed<KeyRows<T>>(block.values);
    for (auto& some : all) some.add(k, v, !ring.is_causal || step > 0), transfers.is_done();
  });
  Sizes const s = q.sizes();
  Attended<T> result{zeros_as(q), zeros<PerQuery<T>>(s[0], s[2], s[1])};
  if (sum_of(ring.keys) == 0) return result;
  for (auto const& some : all) {
    add_rows<1>(result.values, some.values(), some.queries.begin);
    add_rows<2>(result.log_sums, some.log_sums(), some.queries.begin);
  }
  return result;
}

/// The adjoints of queries, keys and values.
template <class T>
struct AttentionShares {
  QueryRows<T> queries;
  KeysAndValues<KeyRows<T>> block;
};

template <class T, class K>
AttentionShares<T> pulled_around(Ring const& ring, Call const& call, QueryRows<T> const& q,
                                 KeysAndValues<K> const& own, Attended<T> const& result,
                                 QueryRows<T> const& adjoint) {
  std::vector<QueryAdjoints<T>> all;
  for (auto const& range : query_ranges(ring, q, own))
    all.emplace_back(q, result.values, adjoint, result.log_sums, range);
  QueryRows<T> dq = zeros_as(q);
  auto const zeros_like = [](auto const& x) { return zeros_of<KeyRows<T>>(x.sizes()); };
  AdjointsAround<KeyRows<T>> adjoints(ring, call, {zeros_like(own.keys), zeros_like(own.values)});
  around(ring, call, own, [&](int step, auto const& block, Transfers& transfers) {
    adjoints.expect(step);
    KeysAndValues<KeyRows<T>> share{zeros_like(block.keys), zeros_like(block.values)};
    auto const k = computed<KeyRows<T>>(block.keys), v = computed<KeyRows<T>>(block.values);
    for (auto const& some : all) {
      if (ring.keys_at(step) == 0) break;
      some.pull(k, v, !ring.is_causal || step > 0, dq, share.keys, share.values);
      transfers.is_done();
    }
    adjoints.add(step, std::move(share));
  });
  return {std::move(dq), adjoints.all()};
}

/// The tape entry: blocks of other ranks are not stored, but circulate again in the backward.
template <TensorType Q, TensorType K>
struct RingStep {
  using T = Computed<typename Q::value_type>;
  using Own = KeyRows<typename K::value_type>;

  Ring ring;
  Call call;
  Q q;
  K k, v;
  Q out;
  PerQuery<T> log_sums;

  static QueryRows<T> rows(Q const& x) {
    return computed<QueryRows<T>>(
        reshaped<QueryRows<typename Q::value_type>>(unmarked(x), x.sizes()));
  }
  KeysAndValues<Own> own() const {
    return {reshaped<Own>(unmarked(k), k.sizes()), reshaped<Own>(unmarked(v), v.sizes())};
  }

  void compute() {
    Unrecorded const unrecorded;
    Attended<T> const result = attended_around(ring, call, rows(q), own());
    log_sums = result.log_sums;
    out = computed<Q>(result.values);
  }
  void operator()(Tape& tape, std::byte const*) const {
    auto const adjoint = rows(gradient_of(out, tape));
    agree(ring.group, call);
    auto const shares = pulled_around(ring, call, rows(q), own(), {rows(out), log_sums}, adjoint);
    seed(q, shares.queries, tape);
    seed(k, shares.block.keys, tape);
    seed(v, shares.block.values, tape);
  }
};

/// The numbers of positions on a rank, and whether keys and values match.
struct Positions {
  std::int64_t queries = 0, keys = 0, belong = 0;
};

/// The ring of all ranks. Throws `ShapeError` on all of them if shapes on one do not match.
template <TensorType Q, TensorType K>
Ring ring_of(Q const& q, K const& k, K const& v, bool causal, Group const& group) {
  bool const belong = with_size(q.sizes(), 1, at(k.sizes(), 1)) == k.sizes();
  Positions const own{at(q.sizes(), 1), at(k.sizes(), 1), belong && k.sizes() == v.sizes()};
  std::vector<Positions> all(static_cast<std::size_t>(group.size()), own);
  std::int64_t const moved = bytes_in<Positions>(group.size() - 1);
  if (moved > 0) tally(Sends::agreement, moved, moved);
  Watched const watched("ring_attention", &group.communicator().last());
  if (moved > 0)
    check(MPI_Allgather(&own, 3, MPI_INT64_T, all.data(), 3, MPI_INT64_T, group.handle()),
          "ring_attention");
  Ring ring{group, {}, causal};
  for (Positions const& one : all) {
    std::string const who = "rank " + std::to_string(ring.keys.size());
    if (causal) check_positions(one.queries, one.keys, who + ": key", "ring_attention");
    if (one.belong == 0)
      fail<ShapeError>({"ring_attention", who, "queries, keys and values that belong together",
                        "sizes that differ"});
    ring.keys.push_back(one.keys);
  }
  return ring;
}

/// The signature of the call: all sizes but the positions are equal on all ranks.
template <TensorType Q, TensorType K>
Call ring_call(Q const& q, K const& k, bool causal, SourceLocation where) {
  Call call = call_of("ring_attention", causal ? "causal" : "full", q, where, -1, 1);
  call.rank = 8;
  for (int i = 0; i < 4; ++i) at(call.sizes, 4 + i) = i == 1 ? dynamic : at(k.sizes(), i);
  return call;
}

template <bool is_causal, TensorType Q, TensorType K>
Q attended_over_ranks(Q const& q, K const& k, K const& v, Group const& group,
                      SourceLocation where) {
  Call const call = ring_call(q, k, is_causal, where);
  agree(group, call);
  Ring const ring = ring_of(q, k, v, is_causal, group);
  if (group.size() == 1) return attention_of<RingAttentionName, is_causal>(q, k, v);
  if (any_joins_graph(q, k, v))
    fail<ValueError>({"ring_attention", {}, "a gradient", "a gradient of a gradient"});
  RingStep<Q, K> step{ring, gradient_of(call), q, k, v, Q(), {}};
  step.compute();
  if (!any_depends_on_recording(q, k, v)) return step.out;
  Tape& tape = *Tape::current();
  step.out.set_mark(tape.new_slot());
  Q const result = step.out;
  tape.record_joint(std::move(step));
  return result;
}

}  // namespace mpi

/// Attention of the local queries to the keys and values of all ranks of a group, over which the
/// sequence is sharded in rank order: queries "batch query head feature", keys and values "batch
/// key head feature" give "batch query head feature", as
/// `scaled_dot_product_attention` of the global tensors with the heads first.
/// Shards may be uneven or empty. Keys and values circulate in a ring, in the backward with their
/// adjoints; a rank stores at most two blocks of each. Throws `CommunicationError`, `ShapeError`;
/// `ValueError` for second derivatives. H. Liu, M. Zaharia, P. Abbeel, "Ring attention with
/// blockwise transformers", 2023. PyTorch: `context_parallel`.
template <TensorType Q, TensorType K>
  requires Q::device::is_host && WellFormed<ScoresOf<Q, K>>
Q ring_attention(Q const& q, K const& k, K const& v, Group const& group,
                 mpi::SourceLocation where = mpi::SourceLocation::current()) {
  return mpi::attended_over_ranks<false>(q, k, v, group, where);
}

/// The same with `is_causal`: a query attends to keys up to its own position;
/// masked values do not affect it, including NaN. Each rank has as many keys as queries, at the
/// same positions. Blocks are sent to later ranks only, so that work increases with the rank.
template <TensorType Q, TensorType K>
  requires Q::device::is_host && WellFormed<ScoresOf<Q, K>>
Q ring_attention(Q const& q, K const& k, K const& v, Group const& group, IsCausal,
                 mpi::SourceLocation where = mpi::SourceLocation::current()) {
  return mpi::attended_over_ranks<true>(q, k, v, group, where);
}
template <TensorType Q, TensorType K, class... Rest, IllFormed R = ScoresOf<Q, K>>
auto ring_attention(Q const&, K const&, K const&, Group const&, Rest const&...) -> R;

/// The ranks of a list of mesh axes, in shard order. Throws `ValueError` if the order of the list
/// differs from that of the mesh.
inline Group const& ring_over(Placement const& place, std::string_view list) {
  Topology const& mesh = *place.topology();
  std::string in_order;
  for (MeshAxis const& axis : mesh.axes()) {
    if (lists(list, axis.name)) in_order.append(in_order.empty() ? "" : "@").append(axis.name);
  }
  if (in_order != list)
    fail<ValueError>({"ring_attention",
                      {},
                      "a sequence divided over \"" + in_order + "\"",
                      "\"" + std::string(list) + "\""});
  return mesh.group(as_words(list).view());
}

/// Ring attention for sharded tensors whose sequence is divided over a list of mesh axes.
template <TensorType Q, TensorType K, class... Kind>
Q ring_attention(Placement const& place, std::string_view list, Q const& q, K const& k, K const& v,
                 Kind... kind) {
  return ring_attention(q, k, v, ring_over(place, list), kind...);
}

}  // namespace tenon::internal

namespace tenon {

using internal::ring_attention;

}  // namespace tenon
