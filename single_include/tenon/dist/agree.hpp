// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <tenon/dist/group.hpp>

namespace tenon {

namespace mpi {

/// Returns once all ranks of the group have made the same call; otherwise throws
/// `CommunicationError` on all of them.
inline void agree(Group const& group, Call const& call, Details const& details = {}) {
  agree(group.communicator(), call, details);
}

}  // namespace mpi

/// Blocks until all ranks of a group have called it. MPI: `MPI_Barrier`.
inline void barrier(Group const& group, mpi::Place where = mpi::Place::current()) {
  mpi::agree(group, {.operation = "barrier", .where = where});
  if (group.size() == 1 || mpi::collectives_are_checked()) return;
  mpi::Watched const watched("barrier", &group.communicator().last());
  mpi::check(MPI_Barrier(group.handle()), "barrier");
}

/// Enables or disables the comparison of calls before each collective; set it alike on all ranks.
/// Without it, mismatched calls hang or give wrong values.
inline void check_collectives(bool yes) { mpi::collectives_are_checked() = yes; }

}  // namespace tenon
