#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <memory>
#include <utility>

#include <tenon/distributed/sharding/compare_given.hpp>
#include <tenon/distributed/sharding/dispatch.hpp>
#include <tenon/distributed/sharding/local_shard.hpp>
#include <tenon/expr/create/create.hpp>
#include <tenon/random/normal.hpp>
#include <tenon/tree/tree.hpp>

/// Creation of sharded tensors: each rank allocates its shard only, and random values are those of
/// the global tensor on every mesh. The ranks compare sizes, keys and numbers: throws
/// `CommunicationError` on all of them if these differ.
namespace tenon::internal {

/// One argument for the size of each run-time axis of the global tensor.
template <class R, class... I>
concept TakesGlobalSizes = ShardType<R> && TakesSizes<UnshardedTensor<R>, I...>;

/// An uninitialised shard. Throws `ShapeError` for invalid global sizes.
template <ShardType R>
R uninitialised_part(Topology const& mesh, Sizes const& whole) {
  check_sizes_of<UnshardedTensor<R>>("Sharded", R::spec.view(), whole);
  Placement const place(std::make_shared<Topology const>(mesh), whole);
  return {R::local_type::uninitialised(own_box<R::spec>(place).sizes), place};
}

/// Calls `f(global_offset, local_offset, count)` for each contiguous run of a box.
template <class F>
void for_each_run(Sizes const& whole, OwnBox const& box, int rank, F const& f) {
  int last = rank - 1;  // the last axis of which the box has only a part
  while (last > 0 && at(box.sizes, last) == at(whole, last)) --last;
  std::int64_t inner = 1, rows = 1;
  for (int i = 0; i < rank; ++i) (i < last ? rows : inner) *= at(i > last ? whole : box.sizes, i);
  if (inner == 0) return;
  for (std::int64_t row = 0; row < rows; ++row) {
    std::int64_t first = 0, stride = 1, rest = row;
    for (int i = rank - 1; i >= 0; stride *= at(whole, i--)) {
      std::int64_t const place = i < last ? rest % at(box.sizes, i) : 0;
      if (i < last) rest /= at(box.sizes, i);
      first += (at(box.begin, i) + place) * stride;
    }
    f(first, row * inner, inner);
  }
}

/// A shard of a random tensor: `row(first, count)` draws elements of the global tensor.
template <ShardType R, class DrawRow>
R drawn_part(Topology const& mesh, Sizes const& whole, DrawRow const& row) {
  R result = uninitialised_part<R>(mesh, whole);
  auto* const to = result.unchecked_local.own_memory();
  for_each_run(whole, own_box<R::spec>(result.place), R::sharding.shape.rank,
               [&](std::int64_t first, std::int64_t own, std::int64_t count) {
                 auto const drawn = row(first, count);
                 std::copy_n(drawn.data(), count, to + own);
               });
  return result;
}

/// Filled with a value: `full<Sharded<float, "batch@dp d=4">>(mesh, 1, batch)`. PyTorch:
/// `torch.distributed.tensor.full`.
template <ShardType R, std::derived_from<Topology> M, DrawParameter V, class... I>
  requires TakesGlobalSizes<R, I...>
struct Creation<FullName, R, M, V, I...> {
  static R of(Topology const& mesh, V value, I... sizes) {
    auto const number = static_cast<typename R::value_type>(value);
    Sizes const whole = given_sizes<UnshardedTensor<R>>(sizes...);
    mpi::compare_made<R>("full", mesh, whole, mpi::details_of_value(number));
    R result = uninitialised_part<R>(mesh, whole);
    result.unchecked_local = filled(std::move(result.unchecked_local), number);
    return result;
  }
};
template <class Name, ShardType R, std::derived_from<Topology> M, class... I>
  requires TakesGlobalSizes<R, I...> &&
           (std::same_as<Name, ZerosName> || std::same_as<Name, OnesName>)
struct Creation<Name, R, M, I...> {
  static R of(Topology const& mesh, I... sizes) {
    return full<R>(mesh, std::same_as<Name, OnesName> ? 1 : 0, sizes...);
  }
};

/// `count` unused sizes.
inline Sizes row_of(std::int64_t count) {
  Sizes sizes = unit_sizes();
  sizes[0] = count;
  return sizes;
}

template <class R>
concept DrawnShard = ShardType<R> && std::floating_point<typename R::value_type>;

/// Normal distribution: the shard of the global tensor that `normal<Tensor>(key, ...)` draws.
/// PyTorch: `torch.distributed.tensor.randn`.
template <DrawnShard R, std::derived_from<Topology> M, DrawParameter Mean, DrawParameter D,
          class... I>
  requires TakesGlobalSizes<R, I...>
struct Creation<NormalName, R, M, Key, Mean, D, I...> {
  static R of(Topology const& mesh, Key const& key, Mean mean, D deviation, I... sizes) {
    using T = typename R::value_type;
    T const center = static_cast<T>(mean), spread = static_cast<T>(deviation);
    auto const row = [&](std::int64_t first, std::int64_t count) {
      return spread_row(normal_row<Tensor<T, "n">>(key, row_of(count), first), center, spread);
    };
    Sizes const whole = given_sizes<UnshardedTensor<R>>(sizes...);
    mpi::compare_made<R>(
        "normal", mesh, whole,
        mpi::details_of_draw(key, {static_cast<double>(mean), static_cast<double>(deviation)}));
    check_normal(static_cast<double>(center), static_cast<double>(spread));
    return drawn_part<R>(mesh, whole, row);
  }
};

/// Uniform in [0, 1), with all global sizes.
template <DrawnShard R>
R uniform_part(Topology const& mesh, Key const& key, Sizes const& whole) {
  auto const row = [&](std::int64_t first, std::int64_t count) {
    return unit_row<Tensor<typename R::value_type, "n">>(key, 0, row_of(count), first);
  };
  return drawn_part<R>(mesh, whole, row);
}

/// Uniform in [0, 1): the shard of the global tensor. PyTorch: `torch.distributed.tensor.rand`.
template <DrawnShard R, std::derived_from<Topology> M, class... I>
  requires TakesGlobalSizes<R, I...>
struct Creation<UniformName, R, M, Key, I...> {
  static R of(Topology const& mesh, Key const& key, I... sizes) {
    Sizes const whole = given_sizes<UnshardedTensor<R>>(sizes...);
    mpi::compare_made<R>("uniform", mesh, whole, mpi::details_of_draw(key, {0, 1}));
    return uniform_part<R>(mesh, key, whole);
  }
};

/// A tree traversal with sharded tensors as leaves.
struct ShardedLeaves {
  template <class T>
  static constexpr bool visits = ShardType<T>;
  static constexpr bool opens_frozen = true;
};

/// A model on a mesh: sharded tensors with static sizes are zero-initialised. Assign those with
/// run-time axes, `model.table = zeros<Sharded<...>>(mesh, words)`.
template <class Model>
Model on_mesh(Topology const& mesh, Model model = Model()) {
  auto const lay = [&]<class R>(R& leaf) {
    if constexpr (R::sharding.shape.is_static()) leaf = zeros<R>(mesh);
  };
  tree::for_each<ShardedLeaves>(lay, model);
  return model;
}

}  // namespace tenon::internal

namespace tenon {

using internal::on_mesh;

}  // namespace tenon
