// Losses of elements.

#include <doctest/doctest.h>

#include "rows.hpp"

#include <tenon/nn.hpp>

namespace losses_test {

using namespace tenon;

TEST_CASE("the table has what losses of elements accept") {
  function_table::Table table("losses");
  table.add<"n=4">(
      CALL(l1_loss(x, square(x))), CALL(mse_loss(x, square(x))), CALL(smooth_l1_loss(x, square(x))),
      CALL(huber_loss(x, square(x))), CALL(binary_cross_entropy(x, square(x))),
      CALL(binary_cross_entropy_with_logits(x, x)), CALL(sigmoid_focal_loss(x, x)),
      CALL(kl_div(x, x)), CALL(poisson_nll_loss(x, x)), CALL(gaussian_nll_loss(x, square(x), x)),
      CALL(hinge_embedding_loss(x, full_like(x, 1))),
      CALL(margin_ranking_loss(square(x), x, full_like(x, 1))),
      CALL(soft_margin_loss(x, full_like(x, 1))));
  table.compare();
}

}  // namespace losses_test
