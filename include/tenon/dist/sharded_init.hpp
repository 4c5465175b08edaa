#pragma once

#include <tenon/dist/sharded_create.hpp>
#include <tenon/nn/init.hpp>

/// How sharded models start: as whole ones, of which every rank draws its part:
/// `init::normal(key, 0.02, on_mesh<Model>(mesh))`.
namespace tenon {

/// The part of a learned tensor that is drawn. (16-bit numbers are drawn as `float`.)
template <class Start, ShardType R>
R drawn_at_start(Start& start, R const& like) {
  using T = typename R::value_type;
  static_assert(FloatType<T>, "tenon::init: complex tensors are not drawn; set them yourself");
  using Wide = std::conditional_t<HalfType<T>, float, T>;
  Key const key = start.next_key();
  auto const row = [&](std::int64_t first, std::int64_t count) {
    auto const wide = spread_row(normal_row<Tensor<Wide, "n">>(key, row_of(count), first), Wide(0),
                                 static_cast<Wide>(start.deviation()));
    return eval(to<T>(wide));
  };
  return drawn_part<R>(*like.place.topology(), like.sizes(), row);
}

}  // namespace tenon
