// What docs/distributed.md shows.
#include "ranks.hpp"

#include <tenon/dist/mesh.hpp>

using namespace ranks;

namespace {

using Rows = Float64<"n d=2">;

Float64<""> loss_of_part(Float64<"d=2"> const& w, Rows const& own, Group const& data) {
  Float64<"d=2"> const weights = copy_to(w, data);  // its adjoints are added up over ranks
  Float64<""> const loss = sum(own * weights * (own * weights));
  return all_reduce(loss, data);  // the loss of all ranks, on all ranks
}

}  // namespace

TEST_CASE("the gradient of a loss over the rows of all ranks") {
  World const world;
  Mesh<"dp"> const mesh(world);
  Group const& data = mesh.group<"dp">();
  Rows const all = rows(0, 7);  // the same on all ranks
  auto const own = part_of<"n">(all, data);
  Float64<"d=2"> const w{0.25, -0.5};

  auto const found = grad([&](Float64<"d=2"> const& x) { return loss_of_part(x, own, data); })(w);
  auto const expected =
      grad([&](Float64<"d=2"> const& x) { return loss_of_part(x, all, Group()); })(w);
  CHECK(std::abs(found(0) - expected(0)) < 1e-9);
  CHECK(std::abs(found(1) - expected(1)) < 1e-9);

  auto pending = begin_all_reduce(w, data);
  // ... something else meanwhile ...
  CHECK(pending.wait()(0) == 0.25 * world.size());
}
