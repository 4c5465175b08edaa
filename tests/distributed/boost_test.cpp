// Communicators of Boost.MPI as groups and meshes, and the reverse.
#include "ranks.hpp"

#include <boost/mpi/collectives.hpp>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <tenon/distributed/collectives/pending.hpp>
#include <tenon/distributed/communication/boost.hpp>
#include <tenon/distributed/communication/mesh.hpp>

namespace boost_test {

using namespace ranks;

TEST_CASE("a mesh of a communicator of Boost.MPI has its ranks in its order") {
  World const world;
  boost::mpi::communicator const job;
  int const n = job.size();
  boost::mpi::communicator const reversed = job.split(0, n - job.rank());
  Mesh<"dp tp"> const mesh(reversed, 1, n);
  CHECK(mesh.rank<"tp">() == n - 1 - job.rank());
  CHECK(mesh.group().world_ranks().front() == n - 1);
  auto const ranks = all_gather<"n">(Int32<"n">{job.rank()}, mesh.group<"tp">());
  CHECK(ranks(0) == n - 1);
  CHECK(ranks(n - 1) == 0);
}

TEST_CASE("a group of a part of the ranks") {
  World const world;
  boost::mpi::communicator const job;
  auto const half = job.split(job.rank() % 2);  // of even or of odd ranks
  Mesh<"dp"> const mesh(half);
  Float64<""> const total = all_reduce(Float64<"">(1), mesh.group<"dp">());
  CHECK(total.item() == half.size());

  Group const group(half, "half");
  CHECK(group.name() == "half");
  CHECK(group.size() == half.size());
  CHECK(group.rank() == half.rank());
  for (int const rank : group.world_ranks()) CHECK(rank % 2 == job.rank() % 2);
}

TEST_CASE("a communicator without this rank is no group") {
  World const world;
  boost::mpi::communicator const none(MPI_COMM_NULL, boost::mpi::comm_attach);
  CHECK_THROWS_WITH_AS(
      Group(none, "none"),
      doctest::Contains("tenon::Group: 'its communicator': expected one with this rank"),
      CommunicationError);
}

TEST_CASE("a second world has the ranks of the first") {
  World const world;
  boost::mpi::communicator const job;
  CHECK(World(job).size() == world.size());
  if (world.size() == 1) return;
  auto const alone = job.split(job.rank());
  CHECK_THROWS_WITH_AS(World(alone).size(), doctest::Contains("expected the ranks of the world"),
                       CommunicationError);
}

TEST_CASE("an axis of a mesh as a communicator of Boost.MPI") {
  World const world;
  Mesh<"dp tp"> const mesh(world, 1, world.size());
  auto const tp = tenon::mpi::communicator_of(mesh.group<"tp">());
  CHECK(tp.size() == mesh.size<"tp">());
  CHECK(tp.rank() == mesh.rank<"tp">());
  CHECK(boost::mpi::all_reduce(tp, tp.rank(), std::plus<>()) == tp.size() * (tp.size() - 1) / 2);
  CHECK(tenon::mpi::communicator_of(mesh.group<"dp">()).size() == 1);
}

TEST_CASE("a communicator outlives its group, and has messages of its own") {
  World const world;
  auto const own = [&] {
    Group const group = world.group().split(0, 0, "short");
    return tenon::mpi::communicator_of(group);
  }();
  int const next = (own.rank() + 1) % own.size();
  int const previous = (own.rank() + own.size() - 1) % own.size();
  int received = -1;
  auto request = own.irecv(previous, 0, received);
  barrier(world.group());
  CHECK(!request.test());  // the messages of the barrier are not received here
  barrier(world.group());  // all ranks have tested
  own.send(next, 0, own.rank());
  request.wait();
  CHECK(received == previous);
}

TEST_CASE("requests of Boost.MPI and of Tenon complete together") {
  World const world;
  Group const& data = world.group();
  auto const own = tenon::mpi::communicator_of(data);
  int const next = (own.rank() + 1) % own.size();
  int const previous = (own.rank() + own.size() - 1) % own.size();
  Float64<"d=2"> const gradient{1, 2};
  std::vector<double> rows(3, own.rank()), received(3);

  auto sum = begin_all_reduce(gradient, data);
  std::vector<boost::mpi::request> requests{own.irecv(previous, 0, received.data(), 3),
                                            own.isend(next, 0, rows.data(), 3)};
  bool are_done = false;
  while (!sum.is_done() || !are_done) {
    // ... something else meanwhile ...
    are_done = are_done || boost::mpi::test_all(requests.begin(), requests.end());
  }
  CHECK(sum.wait()(1) == 2 * world.size());

  CHECK(received == std::vector<double>(3, previous));
}

}  // namespace boost_test
