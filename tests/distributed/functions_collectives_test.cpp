// Examples of docs/functions/: ranks, meshes, collectives, data parallelism.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <tenon/distributed/collectives/all_to_all.hpp>
#include <tenon/distributed/collectives/assert_same.hpp>
#include <tenon/distributed/collectives/collectives.hpp>
#include <tenon/distributed/collectives/exact_reduction.hpp>
#include <tenon/distributed/collectives/gather_to.hpp>
#include <tenon/distributed/collectives/pending.hpp>
#include <tenon/distributed/collectives/rooted.hpp>
#include <tenon/distributed/collectives/shift.hpp>
#include <tenon/distributed/communication/in_order.hpp>
#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/communication/parallel_state.hpp>
#include <tenon/distributed/communication/traffic.hpp>
#include <tenon/distributed/data_parallel/average_gradients.hpp>
#include <tenon/distributed/data_parallel/deterministic_sum.hpp>
#include <tenon/distributed/data_parallel/overlapped_average.hpp>
#include <tenon/tenon.hpp>

namespace functions_collectives_test {

using namespace tenon;

TEST_CASE("ranks and meshes") {
  World const world;  // of mpirun; one rank without it
  Mesh<"dp"> const mesh(world);
  Group const& group = mesh.group<"dp">();  // all ranks
  int const n = world.size();

  CHECK(mesh.text() == "dp=" + std::to_string(n));

  Topology const& any_mesh = mesh;  // axes known at run time
  CHECK(any_mesh.size("dp") == n);

  ParallelState const state(mesh);
  CHECK(state.data_parallel_group().size() == n);

  check_collectives(true);  // the default
  barrier(group);
  CHECK(in_order("ready", group).find("ready") != std::string::npos);

  mpi::Traffic const traffic;
  CHECK(traffic.all().sent == 0);
}

TEST_CASE("collectives") {
  World const world;
  Group const group = world.group();
  int const n = world.size(), rank = world.rank();
  Float32<"k=2"> const x{1, float(rank)};
  auto const rows = all_gather<"k">(x, group);  // 1, 0, 1, 1, 1, 2, ... on all ranks

  CHECK(all_gather<"k">(x, group).size() == 2 * n);
  CHECK(all_reduce(x, group)(0) == float(n));

  auto const own = part_of<"k">(rows, group);
  CHECK(own(1) == float(rank));

  auto const sums = reduce_scatter<"k">(rows, group);  // equals part_of(all_reduce(rows))
  CHECK(sums(0) == float(n));

  auto const gathered = gather_to<"k">(x, group);
  CHECK(gathered.size() == 2 * n);

  auto const heads = ones<Float32<"token head">>(2, 2 * n);  // all heads of some tokens
  CHECK(all_to_all<"head", "token">(heads, group).size() == heads.size());

  auto const first = broadcast(x, 0, group);
  CHECK(first(1) == 0);

  auto const all_rows = gather<"k">(x, 0, group);
  CHECK(all_rows.size() == (rank == 0 ? 2 * n : 0));

  auto const mine = scatter<"k">(rows, 0, group);
  CHECK(mine(1) == float(rank));

  auto const before = shift(x, 1, group);  // of the rank before
  CHECK(before(1) == float((rank + n - 1) % n));

  auto const with_zeros = shift(x, 1, group, Ends::boundary);
  CHECK(with_zeros(0) == (rank == 0 ? 0 : 1));

  if (rank == 0 && n > 1) send(x, 1, group);
  if (rank == 1) CHECK(receive<Float32<"k=2">>(0, group)(0) == 1);

  auto pending = begin_all_reduce(x, group);
  CHECK(pending.wait()(0) == float(n));

  Pending<Float32<"k=2">> later = begin_all_reduce(x, group);
  CHECK(later.wait()(0) == float(n));

  CHECK_NOTHROW(assert_same(rows, group));
  CHECK(exact_sum<"k">(x, group).item() == float(n + n * (n - 1) / 2));

  CHECK(exact_mean(Float64<"k">{1, 3}, group).item() == 2);

  ExactSum<double> total;
  total.add(std::vector<double>{1e300, 1, -1e300});
  CHECK(total.value() == 1);

  auto const loss = [&](Float32<"k=2"> const& w) {
    return all_reduce(sum(copy_to(w, group)), group);
  };
  CHECK(grad(loss)(x)(0) == float(n));
}

TEST_CASE("data parallelism") {
  World const world;
  Group const group = world.group();
  Float32<"k=2"> const gradient{float(world.rank()), 1};

  auto const average = average_gradients(gradient, group);
  CHECK(average(0) == float(world.size() - 1) / 2);

  DeterministicSum micro_batches;
  micro_batches.add(world.rank(), gradient);
  CHECK(micro_batches.sum(gradient, group)(1) == float(world.size()));

  auto const mean_of_all = average_micro_batches(std::vector{gradient}, gradient, group);
  CHECK(mean_of_all(1) == 1);

  auto const loss = [](auto const& w, auto const& later) { return sum(square(later(w))); };
  auto const [value, averaged] = value_and_grad_averaged(loss, group)(gradient);
  CHECK(averaged(1) == 2);
}

}  // namespace functions_collectives_test
