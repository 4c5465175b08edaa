#pragma once

#include <concepts>

#include <tenon/dist/divided.hpp>
#include <tenon/dist/placement.hpp>
#include <tenon/expr/hold.hpp>

namespace tenon {

/// The part of a tensor that this rank holds, and how the whole lies on the mesh: `S` is the
/// sharding of the whole. `E`, the part, is a tensor (see `Sharded`) or a recipe for one.
template <class E, Spec S>
struct Shard;

/// A part of the value on each rank: over the axes `Over` of the mesh they have still to be folded
/// by `By`. Nothing takes it but a reduction: `all_reduce`, `reduce_scatter`.
template <class E, Spec S, Spec Over, class By>
struct PartialShard;

template <class X>
inline constexpr bool is_shard = false;
template <class E, Spec S>
inline constexpr bool is_shard<Shard<E, S>> = true;
template <class X>
inline constexpr bool is_partial_shard = false;
template <class E, Spec S, Spec Over, class By>
inline constexpr bool is_partial_shard<PartialShard<E, S, Over, By>> = true;

template <class X>
concept ShardType = is_shard<Unqualified<X>>;
template <class X>
concept PartialShardType = is_partial_shard<Unqualified<X>>;
template <class X>
concept AnyShard = ShardType<X> || PartialShardType<X>;

/// May a sharded value be kept in a `To`? Same dtype, device and sharding; the axes agree.
template <class To, class From>
concept ShardAssignable =
    ShardType<To> && std::same_as<typename To::local_type, TensorOf<typename To::local_type>> &&
    Assignable<typename To::local_type, typename From::local_type> &&
    assignable(To::sharding.shape, From::sharding.shape) &&
    divided_alike(To::sharding, From::sharding);

template <class E, Spec S>
struct Shard {
  using value_type = typename E::value_type;
  using device = typename E::device;
  using local_type = E;
  static constexpr auto spec = S;
  static constexpr Sharding const& sharding = parsed_sharding<S>.sharding;

  E unchecked_local;  ///< This rank's part. Its gradient is this rank's own: `local_map` is
                      ///< checked.
  Placement place;

  /// The sizes of the whole.
  Sizes sizes() const { return place.sizes(); }

  /// A learned tensor as it is before training: of what is drawn each rank has its part. (What does
  /// that is in dist/sharded_init.hpp.)
  template <class Start>
    requires std::same_as<E, TensorOf<E>>
  Shard initialised(Start& start) const {
    return drawn_at_start(start, *this);
  }

  /// The value of a recipe, or one whose axes agree, as what it is assigned to. Throws
  /// `ShapeError`.
  template <class To>
    requires(!std::same_as<To, Shard>) && ShardAssignable<To, Shard<E, S>>
  operator To() const {
    check_sizes_of<ShardingOf<To::spec>>("Sharded", spec_of<ShardingOf<To::spec>>.view(), sizes());
    return {typename To::local_type(unchecked_local), place};
  }
};

template <class E, Spec S, Spec Over, class By>
struct PartialShard {
  using value_type = typename E::value_type;
  using device = typename E::device;
  using local_type = E;
  static constexpr auto spec = S;
  static constexpr Sharding const& sharding = parsed_sharding<S>.sharding;
  static constexpr auto over = Over;
  using fold = By;

  E unchecked_local;
  Placement place;

  Sizes sizes() const { return place.sizes(); }
};

/// The tensor that holds a rank's part of a sharding.
template <class T, Spec S, class D = Cpu>
using LocalPart = Tensor<T, spec_of<typename ShardingOf<S>::Local>, D>;

/// A tensor divided over a mesh of ranks: `Sharded<float, "batch@dp hidden=128@tp">`. The type says
/// the shape of the whole, and which axes of the mesh divide which of its own; over all others it
/// is replicated. PyTorch: `DTensor`.
template <class T, Spec S, class D = Cpu>
using Sharded = Shard<LocalPart<T, canonical_sharding<S>, D>, canonical_sharding<S>>;

/// How a tensor is divided, as a value: `static_assert(sharding_of<X> == "batch@dp in=5")`.
template <AnyShard X>
inline constexpr Sharding sharding_of = Unqualified<X>::sharding;

}  // namespace tenon
