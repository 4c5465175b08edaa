#pragma once

// Requests to stop a run with many ranks.

#include <tenon/distributed/collectives/collectives.hpp>
#include <tenon/distributed/communication/group.hpp>
#include <tenon/tensor/aliases.hpp>

#include <tenon/train/stop.hpp>

namespace tenon::internal::training {

/// True on all ranks of a group if it is true on any of them: a signal reaches some ranks only, and
/// all have to end their loops after the same step, `while (!on_any_rank(bool(stop),
/// world.group()))`. Collective. MPI: `MPI_Allreduce` with `MPI_LOR`.
inline bool on_any_rank(bool here, Group const& group) {
  return all_reduce<op::any>(Tensor<bool, "">(here), group).item();
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::on_any_rank;

}  // namespace tenon::training
