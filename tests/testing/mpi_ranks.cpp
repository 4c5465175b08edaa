// Test cases over ranks: with the argument "-tc=fails" one fails on the last rank.

#define DOCTEST_CONFIG_IMPLEMENT
#include <tenon/testing/mpi.hpp>

#include <tenon/distributed/collectives/collectives.hpp>
#include <tenon/testing/close.hpp>

namespace {

TENON_MPI_TEST("a group has the ranks of its test", 2) {
  CHECK(group.size() == 2);
  CHECK_CLOSE(tenon::all_reduce(tenon::Float32<"2">{1, 2}, group), (tenon::Float32<"2">{2, 4}));
}

TENON_MPI_TEST("subcases are entered by the ranks of the test", 2) {
  int entered = 0;
  SUBCASE("first") { entered = 1; }
  SUBCASE("second") { entered = 2; }
  CHECK(group.size() == 2);
  CHECK_CLOSE(tenon::all_reduce(tenon::Int32<"1">{entered}, group), tenon::Int32<"1">{2 * entered});
}

TENON_MPI_TEST("a test for many ranks is skipped", 64) { CHECK(group.size() == 64); }

TENON_MPI_TEST("fails" * doctest::skip(), 3) { CHECK_CLOSE(group.rank(), 0); }

}  // namespace

int main(int argc, char** argv) { return tenon::testing::run_mpi_tests(argc, argv); }
