#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <sstream>
#include <string>

#include <tenon/dist/world.hpp>

// All ranks run all tests. What rank 0 says is printed, and of others what went wrong, in one
// piece.
int main(int argc, char** argv) {
  return tenon::run([&](tenon::World& world) {
    std::ostringstream text;
    doctest::Context context(argc, argv);
    context.setCout(&text);
    int failed = context.run(), any_failed = failed;
    if (world.size() > 1) MPI_Allreduce(&failed, &any_failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (failed != 0 || world.rank() == 0)
      tenon::mpi::say_in_one_piece("rank " + std::to_string(world.rank()) + " of " +
                                   std::to_string(world.size()) + "\n" + text.str());
    return any_failed;
  });
}
