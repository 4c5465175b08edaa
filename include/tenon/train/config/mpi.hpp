#pragma once

#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

#include <tenon/train/config/schema.hpp>

namespace tenon::internal::training {

/// The variables of Open MPI, of MPICH and Intel MPI, and of Slurm.
inline std::vector<char const*> variables_of(FromMpi source) {
  if (source == FromMpi::rank) return {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"};
  if (source == FromMpi::world_size) return {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"};
  return {};
}

/// Sets the fields that are declared to have a value of the launcher, where it runs.
inline void read_mpi(std::vector<ConfigKey> const& keys, std::string const& who) {
  for (ConfigKey const& key : keys) {
    for (char const* const variable : variables_of(key.note->mpi)) {
      char const* const text = std::getenv(variable);
      if (text == nullptr) continue;
      Source const source{who, variable};
      key.type->read(key.address, {Plain{text}}, {{source, key.path}, key.note, {}});
      break;
    }
  }
}

}  // namespace tenon::internal::training
