#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/distributed/collectives/along.hpp>

namespace tenon::internal {

namespace mpi {

struct AllToAllName {
  static constexpr std::string_view name = "all_to_all";
};

/// Whether all shards have the same size.
inline bool is_even(std::span<std::int64_t const> parts) {
  return std::ranges::count(parts, parts.front()) == std::ssize(parts);
}

/// Splits `x` along one axis into a shard per rank, and concatenates along another.
struct Turn {
  Division out;
  Division in;

  /// The inverse.
  Turn back() const { return {in, out}; }

  template <TensorType R, TensorType X>
  R operator()(X const& x) const {
    using T = typename X::value_type;
    R result = R::uninitialised(in.whole(out.own(x.sizes())));
    Cut const cut(x.sizes(), X::rank, out.axis), join_cut(result.sizes(), R::rank, in.axis);
    bool const is_split = cut.outer == 1, is_joined = join_cut.outer == 1;
    auto const sent = room_for<T>(is_split ? 0 : x.size());
    auto const received = room_for<T>(is_joined ? 0 : result.size());
    if (!is_split) split(x.data(), sent.get(), out.parts, cut);
    T const* const from = is_split ? x.data() : sent.get();
    T* const to = is_joined ? result.own_memory() : received.get();
    if (is_even(out.parts) && is_even(in.parts)) {
      all_to_all(from, to, x.size(), in.group);
    } else {
      exchange<T>(blocks_of<T const>(from, counts_of(out.parts, cut.entry())),
                  blocks_of<T>(to, counts_of(in.parts, join_cut.entry())), in.group);
    }
    if (!is_joined) join(to, result.own_memory(), in.parts, join_cut);
    return result;
  }
};

/// The sizes of the split and of the concatenation; `x` has the same size along the first axis on
/// all ranks.
inline Turn turn_of(Sizes const& sizes, int from, int to, Group const& group) {
  auto const parts = parts_of(at(sizes, from), group.size());
  std::vector<std::int64_t> const same(parts.size(), parts[static_cast<std::size_t>(group.rank())]);
  return {{group, from, parts}, {group, to, from == to ? same : all_numbers(at(sizes, to), group)}};
}

}  // namespace mpi

/// Moves the sharding from one axis to another: `x` is split along the first axis, as by `part_of`,
/// and each rank concatenates its shards from all ranks along the second: `all_to_all<"head",
/// "token">` of all heads of some tokens gives some heads of all tokens. Both may be the same axis.
/// Differentiable. Throws `CommunicationError`. PyTorch: `all_to_all_single`.
template <Axes cut, Axes joined, Expression X>
auto all_to_all(X&& x, Group const& group,
                mpi::SourceLocation where = mpi::SourceLocation::current())
    -> mpi::Resized<mpi::AllToAllName, cut, X, joined> {
  return mpi::on_host(
      [&](auto const& value) {
        using V = Unqualified<decltype(value)>;
        using R = mpi::Resized<mpi::AllToAllName, cut, V, joined>;
        constexpr int from = Chosen<cut, V>::value.axis(), to = Chosen<joined, V>::value.axis();
        auto const call = mpi::with_gradient_of(
            mpi::call_of("all_to_all", cut.names.view(), value, where, -1, from == to ? -1 : to),
            value);
        mpi::agree(group, call);
        mpi::Turn const turn = mpi::turn_of(value.sizes(), from, to, group);
        return mpi::linear([=](V const& v) { return turn.operator()<R>(v); },
                           [turn, call](R const& dy, R const&, V const&) {
                             mpi::agree(turn.in.group, mpi::gradient_of(call));
                             return turn.back().operator()<V>(dy);
                           },
                           value);
      },
      std::forward<X>(x));
}
template <Axes, Axes, class... X>
auto all_to_all(X const&...) -> FirstMistake<X...>;

}  // namespace tenon::internal

namespace tenon {

using internal::all_to_all;

}  // namespace tenon
