#pragma once

#include <tenon/core/config.hpp>
#include <tenon/tensor/view.hpp>

namespace tenon::internal {

TENON_RUNTIME void refuse_recorded(std::string_view operation, TapeMark mark) {
  if (!is_recorded(mark)) return;
  fail({operation, {}, "a constant", "a recorded tensor, whose gradient a view would lose", {}});
}

}  // namespace tenon::internal
