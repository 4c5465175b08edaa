#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <utility>

#include <tenon/core/error.hpp>
#include <tenon/distributed/sharding/propagation.hpp>
#include <tenon/expr/stored_operand.hpp>
#include <tenon/tensor/index.hpp>
#include <tenon/tree/constant.hpp>

namespace tenon {

class Topology;

}  // namespace tenon

namespace tenon::internal {

/// "5 4"; "" for a scalar.
inline std::string sizes_text(Sizes const& sizes, int rank) {
  std::string text;
  for (int i = 0; i < rank; ++i) text += (i == 0 ? "" : " ") + std::to_string(at(sizes, i));
  return text;
}

/// The placement of a sharded tensor: its mesh, and its global sizes. (Sharded types need no MPI:
/// the topology is an incomplete type here.)
class Placement {
 public:
  Placement() = default;
  Placement(std::shared_ptr<Topology const> topology, Sizes const& sizes)
      : topology_(std::move(topology)), sizes_(sizes) {}

  /// Throws `Error` if there is no placement yet.
  std::shared_ptr<Topology const> const& topology() const {
    if (!topology_) throw Error("tenon::Sharded: expected a tensor on a mesh, got none");
    return topology_;
  }
  Sizes const& sizes() const { return sizes_; }

  /// The same mesh with other sizes.
  Placement with_sizes(Sizes const& sizes) const { return {topology(), sizes}; }

 private:
  std::shared_ptr<Topology const> topology_;
  Sizes sizes_ = unit_sizes();
};

template <>
struct tree::is_constant<Placement> : std::true_type {};

}  // namespace tenon::internal

namespace tenon {

/// The local shard of a tensor, and the placement of the global tensor on the mesh: `S` is its
/// sharding. `E`, the local shard, is a tensor (see `Sharded`) or an expression.
template <class E, Spec S>
struct Shard;

/// A partial value on each rank: still to be reduced by `By` over the mesh axes `Over`. Accepted
/// only by reductions: `all_reduce`, `reduce_scatter`.
template <class E, Spec S, Spec Over, class By>
struct PartialShard;

}  // namespace tenon

namespace tenon::internal {

template <class X>
inline constexpr bool is_shard = false;
template <class E, Spec S>
inline constexpr bool is_shard<Shard<E, S>> = true;
template <class X>
inline constexpr bool is_partial_shard = false;
template <class E, Spec S, Spec Over, class By>
inline constexpr bool is_partial_shard<PartialShard<E, S, Over, By>> = true;

}  // namespace tenon::internal

namespace tenon {

/// A sharded tensor, or an expression of sharded tensors.
template <class X>
concept ShardType = internal::is_shard<internal::Unqualified<X>>;
/// A partial value, still to be reduced over ranks.
template <class X>
concept PartialShardType = internal::is_partial_shard<internal::Unqualified<X>>;
/// Either of the two.
template <class X>
concept AnyShard = ShardType<X> || PartialShardType<X>;

}  // namespace tenon

namespace tenon::internal {

/// Whether a sharded value converts to `To`: same dtype, device and sharding; axes agree.
template <class To, class From>
concept ShardAssignable =
    ShardType<To> && std::same_as<typename To::local_type, TensorOf<typename To::local_type>> &&
    Assignable<typename To::local_type, typename From::local_type> &&
    assignable(To::sharding.shape, From::sharding.shape) &&
    divided_alike(To::sharding, From::sharding);

}  // namespace tenon::internal

namespace tenon {

template <class E, Spec S>
struct Shard {
  using value_type = typename E::value_type;
  using device = typename E::device;
  using local_type = E;
  static constexpr auto spec = S;
  static constexpr internal::Sharding const& sharding = internal::parsed_sharding<S>.sharding;

  E unchecked_local;  ///< The local shard. Its gradient is local: `local_map` is
                      ///< checked.
  internal::Placement place;

  /// The global sizes.
  internal::Sizes sizes() const { return place.sizes(); }

  /// Initial value of a learned tensor: each rank has its shard of what is drawn. (Implemented in
  /// distributed/sharding/init.hpp.)
  template <class Initializer>
    requires std::same_as<E, internal::TensorOf<E>>
  Shard init_parameters(Initializer& initializer) const {
    return drawn_shard(initializer, *this);
  }

  /// Converts to a tensor type with agreeing axes, materializing an expression. Throws
  /// `ShapeError`.
  template <class To>
    requires(!std::same_as<To, Shard>) && internal::ShardAssignable<To, Shard<E, S>>
  operator To() const {
    internal::check_sizes_of<internal::ShardingOf<To::spec>>(
        "Sharded", internal::spec_of<internal::ShardingOf<To::spec>>.view(), sizes());
    return {typename To::local_type(unchecked_local), place};
  }
};

template <class E, Spec S, Spec Over, class By>
struct PartialShard {
  using value_type = typename E::value_type;
  using device = typename E::device;
  using local_type = E;
  static constexpr auto spec = S;
  static constexpr internal::Sharding const& sharding = internal::parsed_sharding<S>.sharding;
  static constexpr auto over = Over;
  using reduction = By;

  E unchecked_local;
  internal::Placement place;

  internal::Sizes sizes() const { return place.sizes(); }
};

}  // namespace tenon

namespace tenon::internal {

/// The tensor type of the local shard of a sharding.
template <class T, Spec S, class D = Cpu>
using LocalPart = Tensor<T, spec_of<typename ShardingOf<S>::Local>, D>;

}  // namespace tenon::internal

namespace tenon {

/// A tensor sharded over a mesh of ranks: `Sharded<float, "batch@dp hidden=128@tp">`. The type
/// gives the global shape and the mesh axes that divide each axis; over all others it is
/// replicated. PyTorch: `DTensor`.
template <class T, Spec S, class D = Cpu>
using Sharded = Shard<internal::LocalPart<T, internal::canonical_sharding<S>, D>,
                      internal::canonical_sharding<S>>;

}  // namespace tenon

namespace tenon::internal {

/// The sharding of a tensor as a value: `static_assert(sharding_of<X> == "batch@dp in=5")`.
template <AnyShard X>
inline constexpr Sharding sharding_of = Unqualified<X>::sharding;

}  // namespace tenon::internal

namespace tenon {

using internal::sharding_of;

}  // namespace tenon
