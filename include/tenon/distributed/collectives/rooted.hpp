#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/distributed/collectives/along.hpp>

/// Collectives with a root rank: broadcast, scatter, gather.
namespace tenon::internal {

namespace mpi {

struct ScatterName {
  static constexpr std::string_view name = "scatter";
};
struct GatherName {
  static constexpr std::string_view name = "gather";
};

inline void check_root(std::string_view who, int root, Group const& group) {
  if (root < 0 || root >= group.size())
    fail<ValueError>({who, "root",
                      std::string("a rank below ").append(std::to_string(group.size())),
                      std::to_string(root)});
}

/// The call of a collective whose sizes are those of the root.
template <TensorType X>
Call rooted_call(std::string_view operation, std::string_view detail, X const& x,
                 SourceLocation where, int root, Group const& group) {
  check_root(operation, root, group);
  Call call = call_of(operation, detail, x, where, root);
  call.sizes.fill(dynamic);
  if (operation == ScatterName::name) call = with_gradient_of(call, x);
  agree(group, call);
  return call;
}

/// The sizes of the root, on all ranks.
inline Sizes sizes_of_root(Sizes sizes, int root, Group const& group) {
  mpi::broadcast(sizes.data(), max_rank, root, group, Sends::agreement);
  return sizes;
}

/// The value of the root, on all ranks.
template <TensorType X>
X broadcast_from(X const& x, int root, Group const& group) {
  Sizes sizes = x.sizes();
  if constexpr (!X::shape.is_static()) sizes = sizes_of_root(sizes, root, group);
  bool const is_root = group.rank() == root;
  X result = is_root ? x : X::uninitialised(sizes);
  auto const* const data = is_root ? x.data() : result.own_memory();  // MPI reads the root's
  mpi::broadcast(const_cast<typename X::value_type*>(data), result.size(), root, group);
  return result;
}

/// The shards of the root's `x`, one for each rank.
template <TensorType R, TensorType X>
R scattered(X const& x, Sizes const& sizes, int root, Division const& by) {
  R result = R::uninitialised(by.own(sizes));
  Cut const cut(sizes, X::rank, by.axis);
  auto const counts = counts_of(by.parts, cut.entry());
  bool const is_root = by.group.rank() == root;
  auto const all = room_for<typename X::value_type>(is_root ? x.size() : 0);
  std::vector<Block<typename X::value_type const>> sent;
  if (is_root) {
    split(x.data(), all.get(), by.parts, cut);
    sent = blocks_of<typename X::value_type const>(all.get(), counts);
  }
  Block<typename X::value_type> const own{result.own_memory(), counts[by.rank()], root};
  exchange<typename X::value_type>(sent, std::span(&own, 1), by.group);
  return result;
}

/// The shards of all ranks on the root; an empty axis on other ranks.
template <TensorType R, TensorType X>
R gathered_on(X const& x, int root, Division const& by) {
  using T = typename X::value_type;
  bool const is_root = by.group.rank() == root;
  R result = R::uninitialised(is_root ? by.whole(x.sizes()) : with_size(x.sizes(), by.axis, 0));
  Cut const cut(x.sizes(), X::rank, by.axis);
  auto const counts = counts_of(by.parts, cut.entry());
  auto const all = room_for<T>(is_root ? result.size() : 0);
  std::vector<Block<T>> received;
  if (is_root) received = blocks_of<T>(all.get(), counts);
  Block<T const> const own{x.data(), x.size(), root};
  exchange<T>(std::span(&own, 1), received, by.group);
  if (is_root) join(all.get(), result.own_memory(), by.parts, cut);
  return result;
}

}  // namespace mpi

/// The value of rank `root` of a group, on all ranks; the arguments of other ranks have the same
/// type and are ignored. Differentiable. Throws `CommunicationError`. PyTorch: `broadcast`.
template <Expression X>
auto broadcast(X&& x, int root, Group const& group,
               mpi::SourceLocation where = mpi::SourceLocation::current()) {
  return mpi::on_host(
      [&](auto const& value) {
        using V = Unqualified<decltype(value)>;
        (void)mpi::rooted_call("broadcast", {}, value, where, root, group);
        return mpi::linear([=](V const& v) { return mpi::broadcast_from(v, root, group); },
                           [is_root = group.rank() == root](V const& dy, V const&, V const& v) {
                             return is_root ? dy : mpi::zeros_as(v);
                           },
                           value);
      },
      std::forward<X>(x));
}
template <Mistake X>
auto broadcast(X const&, int, Group const&) -> X;

/// Splits the value of rank `root` along an axis as `part_of` does; each rank receives its shard.
/// Differentiable. Throws `CommunicationError`. PyTorch: `scatter`.
template <Axes axis, Expression X>
auto scatter(X&& x, int root, Group const& group,
             mpi::SourceLocation where = mpi::SourceLocation::current())
    -> mpi::Resized<mpi::ScatterName, axis, X> {
  return mpi::on_host(
      [&](auto const& value) {
        using V = Unqualified<decltype(value)>;
        using R = mpi::Resized<mpi::ScatterName, axis, V>;
        constexpr int at_axis = Chosen<axis, V>::value.axis();
        auto const call = mpi::rooted_call("scatter", axis.names.view(), value, where, root, group);
        Sizes const sizes = mpi::sizes_of_root(value.sizes(), root, group);
        mpi::Division const by{group, at_axis, mpi::parts_of(at(sizes, at_axis), group.size())};
        return mpi::linear([=](V const& v) { return mpi::scattered<R>(v, sizes, root, by); },
                           [by, call, root](R const& dy, R const&, V const& v) {
                             mpi::agree(by.group, mpi::gradient_of(call));
                             R const all = mpi::gathered_on<R>(dy, root, by);
                             return by.group.rank() == root ? V(all) : mpi::zeros_as(v);
                           },
                           value);
      },
      std::forward<X>(x));
}
template <Axes, class... X>
auto scatter(X const&...) -> FirstMistake<X...>;

/// The values of all ranks concatenated along an axis, on rank `root`; on other ranks the axis has
/// size 0. Differentiable. Throws `CommunicationError`. PyTorch: `gather`.
template <Axes axis, Expression X>
auto gather(X&& x, int root, Group const& group,
            mpi::SourceLocation where = mpi::SourceLocation::current())
    -> mpi::Resized<mpi::GatherName, axis, X> {
  return mpi::on_host(
      [&](auto const& value) {
        using V = Unqualified<decltype(value)>;
        using R = mpi::Resized<mpi::GatherName, axis, V>;
        constexpr int at_axis = Chosen<axis, V>::value.axis();
        mpi::check_root("gather", root, group);
        auto const call = mpi::with_gradient_of(
            mpi::call_of("gather", axis.names.view(), value, where, root, at_axis), value);
        mpi::agree(group, call);
        mpi::Division const by{group, at_axis, mpi::all_numbers(at(value.sizes(), at_axis), group)};
        return mpi::linear([=](V const& v) { return mpi::gathered_on<R>(v, root, by); },
                           [by, call, root](R const& dy, R const&, V const&) {
                             mpi::agree(by.group, mpi::gradient_of(call));
                             return V(mpi::scattered<V>(dy, by.whole(dy.sizes()), root, by));
                           },
                           value);
      },
      std::forward<X>(x));
}
template <Axes, class... X>
auto gather(X const&...) -> FirstMistake<X...>;

}  // namespace tenon::internal

namespace tenon {

using internal::broadcast;
using internal::gather;
using internal::scatter;

}  // namespace tenon
