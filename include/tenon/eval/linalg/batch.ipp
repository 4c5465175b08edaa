#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/linalg/batch.hpp>

namespace tenon::internal::linalg {

[[noreturn]] TENON_RUNTIME void fail_matrix(std::string_view who, std::string_view expected,
                                            std::string_view got, std::int64_t matrix,
                                            std::int64_t matrices) {
  std::string const where = "matrix " + std::to_string(matrix) + " of " + std::to_string(matrices);
  fail<ValueError>({who, {}, expected, got, matrices == 1 ? std::string_view() : where});
}

}  // namespace tenon::internal::linalg
