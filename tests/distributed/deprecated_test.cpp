// The names and paths of the previous release are aliases of the current ones.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#include "ranks.hpp"

#include <type_traits>
#include <vector>

#include <tenon/dist/mesh.hpp>
#include <tenon/dist/pieces.hpp>
#include <tenon/dist/reshard.hpp>
#include <tenon/dist/sum_of_pieces.hpp>
#include <tenon/dist/zero.hpp>

namespace deprecated_test {

using namespace ranks;

namespace {

struct Weights {
  Float32<"n=4"> w;
};

static_assert(std::is_same_v<ZeroParts<Weights>, ZeroShards<Weights>>);
static_assert(std::is_same_v<SumOfPieces, DeterministicSum>);
static_assert(std::is_same_v<MutablePiece, MutableTensorShard>);

TEST_CASE("functions of the previous release give the same values") {
  World world;
  Mesh<"dp"> const mesh(world);
  Float32<"n=4"> const x = {1, 2, 3, 4};
  auto const sharded = shard<"n=4@dp">(mesh, x);
  CHECK(max(abs(whole(sharded) - unshard(sharded))).item() == 0);

  std::vector<Weights> const own(2, Weights{x});
  auto const mean = average_pieces(own, own[0], world.group());
  CHECK(max(abs(mean.w - x)).item() == 0);
  CHECK(pieces_of(own[0]).size() == 1);
}

}  // namespace
}  // namespace deprecated_test
