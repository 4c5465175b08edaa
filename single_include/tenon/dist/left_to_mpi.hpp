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

#include <list>
#include <memory>

#include <tenon/dist/mpi.hpp>

namespace tenon::mpi {

/// Unfinished requests of MPI, and the owner of their memory.
struct Parcel {
  std::shared_ptr<void const> kept;
  MPI_Request request = MPI_REQUEST_NULL;

  bool is_done() {
    int done = 0;
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "Transfers");
    return done != 0;
  }
};

/// Requests abandoned during stack unwinding. MPI may still access their memory, to the end of the
/// program: the list is never destroyed.
inline std::list<Parcel>& left_to_mpi() {
  static auto* const all = new std::list<Parcel>;
  return *all;
}

/// Releases those that have completed or failed. Called by each collective.
inline void look_after_what_is_left() {
  if (left_to_mpi().empty()) return;
  std::erase_if(left_to_mpi(), [](Parcel& parcel) {
    int done = 0;
    return MPI_Test(&parcel.request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done != 0;
  });
}

}  // namespace tenon::mpi
