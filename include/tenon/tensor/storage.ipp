#pragma once

#include <tenon/core/config.hpp>
#include <tenon/tensor/storage.hpp>

namespace tenon::internal {

[[noreturn, gnu::cold, gnu::noinline]] TENON_RUNTIME void refuse_moved_from() {
  throw Error("tenon::Tensor: a tensor that was moved from has no elements: assign to it first");
}

}  // namespace tenon::internal
