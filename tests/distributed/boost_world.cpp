// A world of some of the processes of a job: the others do not take part. All ranks run all tests.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/operations.hpp>
#include <string>
#include <thread>

#include <tenon/distributed/collectives/collectives.hpp>
#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/tenon.hpp>

namespace {

using namespace tenon;

TEST_CASE("a world of the first half of the processes") {
  boost::mpi::communicator const job;
  bool const trains = job.rank() < (job.size() + 1) / 2;
  auto const half = job.split(trains ? 0 : 1);
  if (!trains) return;

  World const world(half);
  CHECK(world.size() == (job.size() + 1) / 2);
  CHECK(world.rank() == half.rank());
  Mesh<"dp"> const mesh(world);
  CHECK(all_reduce(Float64<"">(1), mesh.group<"dp">()).item() == world.size());
  World const shared;
  CHECK(shared.size() == world.size());
  if (job.size() > 1) CHECK_THROWS_AS(World{job}, CommunicationError);
}

TEST_CASE("two worlds beside each other, of even and of odd ranks") {
  boost::mpi::communicator const job;
  auto const half = job.split(job.rank() % 2);
  World const world(half);
  CHECK(world.rank() == job.rank() / 2);
  CHECK(all_reduce(Float64<"">(1), world.group()).item() == half.size());
}

TEST_CASE("later a world of all processes") {
  boost::mpi::communicator const job;
  World const world(job);
  CHECK(world.size() == job.size());
  CHECK(all_reduce(Float64<"">(1), world.group()).item() == job.size());
}

TEST_CASE("without a world a communicator is no group") {
  boost::mpi::communicator const job;
  CHECK_THROWS_WITH_AS(Group(job, "job"), doctest::Contains("expected a world that lives"),
                       CommunicationError);
}

/// Acts as an MPI that grants less.
void grant(int level) { tenon::internal::mpi::session().thread_level = level; }

TEST_CASE("where MPI was initialised for one thread, another one is refused") {
  boost::mpi::communicator const job;
  World const world(job);
  if (job.size() == 1) return;
  Group const group = world.group().split(0, 0, "own");
  int const granted = tenon::internal::mpi::session().thread_level;
  for (int const level : {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED}) {
    grant(level);
    group.detach_from_thread();
    std::string words;
    std::thread other([&] {
      try {
        barrier(group);
      } catch (CommunicationError const& error) {
        words = error.what();
      }
    });
    other.join();
    std::string const name = level == MPI_THREAD_SINGLE ? "SINGLE" : "FUNNELED";
    CHECK(
        words.starts_with("tenon::barrier: expected the main thread of MPI, got another one in "
                          "group 'own', and MPI grants MPI_THREAD_" +
                          name + ": initialise it for MPI_THREAD_SERIALIZED (boost_world.cpp:"));
  }
  grant(granted);
  barrier(world.group());
}

}  // namespace

int main(int argc, char** argv) {
  boost::mpi::environment const environment(argc, argv);
  boost::mpi::communicator const job;
  doctest::Context context(argc, argv);
  context.setOption("minimal", true);
  return boost::mpi::all_reduce(job, context.run(), boost::mpi::maximum<int>());
}
