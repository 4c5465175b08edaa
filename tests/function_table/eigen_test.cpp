// Eigenvalues of general matrices, which need Eigen.

#include <doctest/doctest.h>

#include "rows.hpp"

#include <tenon/eigenvalues.hpp>

namespace eigen_test {

using namespace tenon;

TEST_CASE("the table has what functions of eigenvalues accept") {
  function_table::Table table("eigenvalues");
  table.add<"i=3 i=3">(CALL(linalg::eig(x)), CALL(linalg::eigvals(x)), CALL(linalg::sqrtm(x)),
                       CALL(linalg::logm(x + 2 * eye<Tensor<T, S, D>>())));
  table.compare();
}

}  // namespace eigen_test
