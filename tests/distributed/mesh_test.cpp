#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/communication/parallel_state.hpp>

#include <doctest/doctest.h>
#include <tenon/distributed/collectives/collectives.hpp>
#include <tenon/tenon.hpp>

namespace mesh_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

std::string words_of(auto const& f) {
  try {
    f();
  } catch (Error const& error) {
    return error.what();
  }
  return "";
}

bool contains(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the last axis of a mesh varies fastest") {
  World const world;
  Mesh<"dp tp=1 pp"> const mesh(world, 1, world.size());
  CHECK(mesh.rank<"pp">() == world.rank());
  CHECK(mesh.rank<"dp">() == 0);
  CHECK(mesh.size<"tp">() == 1);
  CHECK(mesh.group<"dp pp">().size() == world.size());
  CHECK(mesh.group<"tp">().size() == 1);
  CHECK(mesh.text() == "dp=1 tp=1 pp=" + std::to_string(world.size()));
  if (world.size() % 4 != 0) return;
  Mesh<"dp tp=2 cp=2"> const grid(world);
  int const rank = world.rank();
  CHECK(grid.rank<"cp">() == rank % 2);
  CHECK(grid.rank<"tp">() == rank / 2 % 2);
  CHECK(grid.rank<"dp">() == rank / 4);
  int const base = rank / 4 * 4;
  CHECK(grid.group<"cp">().world_ranks() ==
        std::vector{base + rank / 2 % 2 * 2, base + rank / 2 % 2 * 2 + 1});
  CHECK(grid.group<"tp">().world_ranks() == std::vector{base + rank % 2, base + rank % 2 + 2});
  CHECK(grid.group<"cp tp">().world_ranks() == std::vector{base, base + 1, base + 2, base + 3});
  CHECK(grid.group("tp").rank() == grid.rank("tp"));
  Float32<"2"> const one{1.0f, float(grid.rank("tp"))};
  CHECK(all_reduce(one, grid.group<"tp">())(1) == 1.0f);
  CHECK(all_reduce(one, grid.group())(0) == float(world.size()));
}

TEST_CASE("the error for an impossible mesh shows the product of its sizes") {
  World const world;
  int const n = world.size();
  std::string const size = std::to_string(n);
  CHECK(words_of([&] { Mesh<"dp=7 tp=2"> const mesh(world); }) ==
        "tenon::Mesh: \"dp=7 tp=2\": world size " + size + " is not 14 = dp 7 x tp 2");
  CHECK(words_of([&] { Mesh<"dp tp=3 pp=5"> const mesh(world); }) ==
        "tenon::Mesh: \"dp tp=3 pp=5\": world size " + size +
            " is not divisible by 15 = tp 3 x pp 5");
  CHECK(contains(words_of([&] { Mesh<"dp tp pp"> const mesh(world, 1, 2); }),
                 "expected 3 sizes, got 2"));
  Mesh<"dp"> const mesh(world);
  CHECK(words_of([&] { (void)mesh.group("tp"); }) ==
        "tenon::group: 'tp': expected an axis of \"dp=" + size + "\"");
}

TEST_CASE("the names of the axes in Megatron") {
  World const world;
  int const n = world.size(), rank = world.rank();
  ParallelState const whole(Mesh<"pp dp ep cp tp">(world, 1, 1, n, 1, 1));
  CHECK(whole.expert_model_parallel_size() == n);
  CHECK(whole.data_parallel_rank() == rank);
  CHECK(whole.expert_data_parallel_size() == 1);
  if (n != 8) return;
  ParallelState const state(Mesh<"pp=2 dp=2 tp=2">(world.group()));
  CHECK(state.tensor_model_parallel_rank() == rank % 2);
  CHECK(state.data_parallel_rank() == rank / 2 % 2);
  CHECK(state.pipeline_model_parallel_rank() == rank / 4);
  CHECK(state.is_pipeline_last_stage() == (rank >= 4));
  CHECK(state.model_parallel_size() == 4);
  CHECK(state.context_parallel_size() == 1);
  CHECK(state.expert_data_parallel_size() == 2);
  CHECK(contains(table_of(state.topology()), "\n     6    1    1    0\n"));
}

}  // namespace mesh_test
