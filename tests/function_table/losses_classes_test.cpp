// Losses of classes, vectors and sequences.

#include <doctest/doctest.h>

#include "rows.hpp"

#include <tenon/nn.hpp>

namespace losses_classes_test {

using namespace tenon;

TEST_CASE("the table has what losses of classes, vectors and sequences accept") {
  function_table::Table table("losses_classes");
  table.add<"batch=2 digit=4">(
      CALL(cross_entropy<"digit">(x, zeros<Int32<"batch=2", D>>())),
      CALL(nll_loss<"digit">(x, zeros<Int32<"batch=2", D>>())),
      CALL(multi_margin_loss<"digit">(x, zeros<Int32<"batch=2", D>>())),
      CALL(multilabel_margin_loss<"digit">(x, full<Int32<"batch=2 digit=4", D>>(0))),
      CALL(multilabel_soft_margin_loss<"digit">(x, x)),
      CALL(pairwise_distance<"digit">(x, square(x))),
      CALL(cosine_similarity<"digit">(x, square(x))), CALL(pdist<"batch">(x)),
      CALL(cosine_embedding_loss<"digit">(x, square(x), full<Tensor<T, "batch=2", D>>(1))),
      CALL(triplet_margin_loss<"digit">(x, square(x), x)));
  table.add<"time=2 batch=1 class=3">(
      CALL(ctc_loss<"time", "class">(x, full<Int32<"batch=1 label=1", D>>(1),
                                     full<Int32<"batch=1", D>>(2), full<Int32<"batch=1", D>>(1))));
  table.compare();
}

}  // namespace losses_classes_test
