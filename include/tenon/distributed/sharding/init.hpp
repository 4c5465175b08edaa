#pragma once

#include <tenon/distributed/sharding/create.hpp>
#include <tenon/nn/init.hpp>

/// Initialisation of sharded models: every rank draws its shard of the global initial values:
/// `init::normal(key, 0.02, on_mesh<Model>(mesh))`.
namespace tenon::internal {

/// The local shard of a drawn tensor. (16-bit dtypes are drawn as `float`.)
template <class Initializer, ShardType R>
R drawn_shard(Initializer& initializer, R const& like) {
  using T = typename R::value_type;
  static_assert(FloatType<T>, "tenon::init: complex tensors are not drawn; set them yourself");
  using Wide = std::conditional_t<HalfType<T>, float, T>;
  Key const key = initializer.next_key();
  mpi::compare_made<R>("init", *like.place.topology(), like.sizes(),
                       mpi::details_of_draw(key, {initializer.deviation()}));
  check_normal(0, initializer.deviation());
  auto const row = [&](std::int64_t first, std::int64_t count) {
    auto const wide = spread_row(normal_row<Tensor<Wide, "n">>(key, row_of(count), first), Wide(0),
                                 static_cast<Wide>(initializer.deviation()));
    return eval(to<T>(wide));
  };
  return drawn_part<R>(*like.place.topology(), like.sizes(), row);
}

}  // namespace tenon::internal
