// Fields of a configuration that the launcher of MPI sets.

#include <doctest/doctest.h>

#include <cstdlib>
#include <optional>

#include <tenon/train/config.hpp>

namespace config_mpi {
namespace {

using namespace tenon::training;

struct Ranked {
  std::optional<int> rank{};
  int ranks = 1;
  int other = 0;

  static constexpr auto describe() {
    return fields(field<&Ranked::rank>("").mpi_rank(), field<&Ranked::ranks>("").mpi_world_size());
  }
};

/// An environment variable for the duration of a test.
class Variable {
 public:
  Variable(char const* name, char const* value) : name_(name) { setenv(name, value, 1); }
  Variable(Variable const&) = delete;
  Variable& operator=(Variable const&) = delete;
  ~Variable() { unsetenv(name_); }

 private:
  char const* name_;
};

TEST_CASE("the rank and the number of ranks are those of the launcher") {
  for (char const* const name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"})
    if (std::getenv(name)) return;
  CHECK(!parse_config<Ranked>({}).rank.has_value());
  CHECK(parse_config<Ranked>({"--rank=4"}).rank == 4);
  Variable const rank("PMI_RANK", "2"), size("PMI_SIZE", "8");
  Ranked const ranked = parse_config<Ranked>({"--rank=4"});
  CHECK(ranked.rank == 2);
  CHECK(ranked.ranks == 8);
  CHECK(ranked.other == 0);
}

TEST_CASE("a rank that is no number is reported with its variable") {
  if (std::getenv("OMPI_COMM_WORLD_RANK")) return;
  Variable const rank("OMPI_COMM_WORLD_RANK", "first");
  CHECK_THROWS_WITH_AS(parse_config<Ranked>({}),
                       "tenon::parse_config: 'rank': expected int32, got 'first' "
                       "(OMPI_COMM_WORLD_RANK)",
                       ConfigError);
}

}  // namespace
}  // namespace config_mpi
