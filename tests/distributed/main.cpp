#define DOCTEST_CONFIG_IMPLEMENT
#include <tenon/testing/mpi.hpp>

// All ranks run all tests.
int main(int argc, char** argv) { return tenon::testing::run_mpi_tests(argc, argv); }
