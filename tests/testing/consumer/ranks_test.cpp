#define DOCTEST_CONFIG_IMPLEMENT
#include <tenon/testing/mpi.hpp>

#include <tenon/distributed/collectives/collectives.hpp>
#include <tenon/tenon.hpp>
#include <tenon/testing.hpp>

using namespace tenon;

TENON_MPI_TEST("a sum over two ranks", 2) {
  auto const ranks = full<Float64<"n=3">>(double(group.rank()));
  CHECK_CLOSE(all_reduce(ranks, group), ones<Float64<"n=3">>());
}

int main(int argc, char** argv) { return testing::run_mpi_tests(argc, argv); }
