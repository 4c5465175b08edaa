#pragma once

// The record of a run with many ranks: one folder.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/distributed/communication/collective_try.hpp>
#include <tenon/distributed/communication/mpi.hpp>
#include <tenon/distributed/communication/strings.hpp>
#include <tenon/distributed/communication/world.hpp>

#include <tenon/train/run.hpp>

namespace tenon::internal::training {

/// "Open MPI v4.1.4, Boost 1_74"
inline std::string mpi_libraries() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  mpi::check(MPI_Get_library_version(text.data(), &length), "run_over_ranks");
  std::string const name(text.data(), static_cast<std::size_t>(length));
  return name.substr(0, name.find_first_of(",\n")) + ", Boost " + BOOST_LIB_VERSION;
}

/// The record of a run of all ranks of a world, by the options of rank 0: rank 0 creates and writes
/// the folder, the others get its name for checkpoints, and log on the console. Collective. What
/// rank 0 throws is thrown on all ranks. PyTorch Lightning: a logger, whose methods are
/// `rank_zero_only`.
template <class Config>
tenon::training::RunManager run_over_ranks(World const& world, Config const& config,
                                           std::string_view tag, RunOptions options = {}) {
  options.rank = world.rank();
  options.ranks = world.size();
  options.libraries += (options.libraries.empty() ? "" : ", ") + mpi_libraries();
  std::optional<tenon::training::RunManager> run;
  mpi::on_first(world.group(), [&] { run.emplace(config, tag, options); });
  std::string const folder = run ? run->folder().string() : std::string();
  options.folder = mpi::text_of_root(folder, 0, world.group());
  if (!run) run.emplace(config, tag, options);
  return *std::move(run);
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::run_over_ranks;

}  // namespace tenon::training
