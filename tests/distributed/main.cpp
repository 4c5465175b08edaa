#define DOCTEST_CONFIG_IMPLEMENT
#include <tenon/testing/mpi.hpp>

int main(int argc, char** argv) { return tenon::testing::run_mpi_tests(argc, argv); }
