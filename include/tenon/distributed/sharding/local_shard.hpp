#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/core/error.hpp>
#include <tenon/distributed/communication/split.hpp>
#include <tenon/distributed/communication/topology.hpp>
#include <tenon/distributed/sharding/shard.hpp>

/// The local range of a global tensor.
namespace tenon::internal {

/// The ranks over which a list of mesh axes, as "dp@cp", divides.
inline Group const& group_of(Placement const& place, std::string_view list) {
  return place.topology()->group(as_words(list).view());
}

/// The local range of an axis.
struct AxisPart {
  std::int64_t start = 0;
  std::int64_t size = 0;
};

/// The local range of an axis of `size` entries, divided over a list of mesh axes.
inline AxisPart part_of_axis(Placement const& place, std::string_view list, std::int64_t size) {
  AxisPart own{0, size};
  for_each_mesh_axis(list, [&](std::string_view name) {
    Group const& group = group_of(place, name);
    auto const parts = mpi::parts_of(own.size, group.size());
    auto const rank = static_cast<std::size_t>(group.rank());
    own = {own.start + mpi::starts_of(parts)[rank], parts[rank]};
  });
  return own;
}

/// A box of a tensor: its first index, and its sizes.
struct OwnBox {
  Sizes begin{};
  Sizes sizes = unit_sizes();
};

/// The box of the local shard of a sharded tensor.
template <Spec S>
OwnBox own_box(Placement const& place) {
  constexpr Sharding const& sharding = parsed_sharding<S>.sharding;
  OwnBox box;
  for (int i = 0; i < sharding.shape.rank; ++i) {
    AxisPart const part = part_of_axis(place, sharding[i].view(), at(place.sizes(), i));
    at(box.begin, i) = part.start;
    at(box.sizes, i) = part.size;
  }
  return box;
}

/// The sizes of the first shard, the largest, or of the last one: computed alike by all ranks.
template <Spec S>
Sizes sizes_of_end_shard(Placement const& place, bool is_last) {
  constexpr Sharding const& sharding = parsed_sharding<S>.sharding;
  Sizes sizes = place.sizes();
  for (int i = 0; i < sharding.shape.rank; ++i)
    for_each_mesh_axis(sharding[i].view(), [&](std::string_view name) {
      auto const parts = mpi::parts_of(at(sizes, i), group_of(place, name).size());
      at(sizes, i) = is_last ? parts.back() : parts.front();
    });
  return sizes;
}

/// Throws `ShapeError` if a result of `local_map` does not have the sizes of the local shard.
template <AnyShard R>
void check_part(Placement const& place, Sizes const& got) {
  Sizes const expected = own_box<R::spec>(place).sizes;
  if (got == expected) return;
  constexpr int rank = R::local_type::rank;
  throw ShapeError("tenon::local_map: expected this rank's part of \"" +
                   std::string(R::spec.view()) + "\", of sizes \"" + sizes_text(expected, rank) +
                   "\", got \"" + sizes_text(got, rank) + "\"");
}

/// The global, unsharded type of a sharded tensor.
template <class X>
using UnshardedTensor =
    Tensor<typename X::value_type, spec_of<ShardingOf<X::spec>>, typename X::device>;

}  // namespace tenon::internal
