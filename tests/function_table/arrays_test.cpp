// Reductions, scans, statistics, indexing, sorting, shapes.

#include <doctest/doctest.h>

#include "rows.hpp"

#include <tenon/indexing.hpp>
#include <tenon/statistics.hpp>

namespace arrays_test {

using namespace tenon;

TEST_CASE("the table has what reductions accept") {
  function_table::Table table("reductions");
  table.add<"row=2 column=3">(
      CALL(sum<"column">(x)), CALL(prod<"column">(x)), CALL(mean<"column">(x)),
      CALL(var<"column">(x)), CALL(stddev<"column">(x)), CALL(norm<"column">(x)),
      CALL(max<"column">(x)), CALL(min<"column">(x)), CALL(any<"column">(x)),
      CALL(all<"column">(x)), CALL(argmax<"column">(x)), CALL(argmin<"column">(x)),
      CALL(cumsum<"column">(x)), CALL(cumprod<"column">(x)), CALL(softmax<"column">(x)),
      CALL(log_softmax<"column">(x)), CALL(logsumexp<"column">(x)), CALL(max_pool<"column", 2>(x)),
      CALL(max_pool_with_indices<"column", 2>(x)), CALL(avg_pool<"column", 2>(x)),
      CALL(histogram<Int64<"bin=2">>(x, 0, 1)), CALL(bincount<Int64<"bin=8">>(x)),
      CALL(searchsorted(flatten(x), x)), CALL(unique(x)), CALL(partition<"column">(x, 1)),
      CALL(argpartition<"column">(x, 1)), CALL(cummax<"column">(x)), CALL(cummin<"column">(x)),
      CALL(logcumsumexp<"column">(x)), CALL(nansum<"column">(x)), CALL(nanmean<"column">(x)),
      CALL(nanmax<"column">(x)), CALL(nanmin<"column">(x)), CALL(ptp<"column">(x)),
      CALL(count_nonzero<"column">(x)), CALL(average<"column">(x, x)), CALL(diff<"column">(x)),
      CALL(trapezoid<"column">(x)), CALL(quantile<"column">(x, 0.3)), CALL(median<"column">(x)),
      CALL(cov<"column">(x)), CALL(corrcoef<"column">(x)));
  table.compare();
}

TEST_CASE("the table has what functions of indices and shapes accept") {
  function_table::Table table("indices");
  table.add<"row=3 column=3">(
      CALL(take<"row">(x, zeros<Int32<"k=2", D>>())),
      CALL(pick<"row">(x, zeros<Int32<"column=3", D>>())),
      CALL(take_along<"column">(x, zeros<Int32<"row=3 column=2", D>>())), CALL(sort<"column">(x)),
      CALL(argsort<"column">(x)), CALL(topk<"column", 2>(x)),
      CALL(index_add<"row">(x, zeros<Int32<"k=3", D>>(), rename<"row -> k">(x))),
      CALL(scatter_add<"row">(x, zeros<Int32<"row=3 column=3", D>>(), x)),
      CALL(segment_sum<"row", 2>(x, zeros<Int32<"row=3", D>>())),
      CALL(index_put(flatten(x), std::tuple{zeros<Int32<"k=3", D>>()},
                     rename<"row -> k">(take<"column">(x, 0)))),
      CALL(masked_select(x, zeros<Mask<"row=3 column=3", D>>())), CALL(nonzero(x)),
      CALL(tile<"row", 2>(x)), CALL(repeat_interleave<"row", 2>(x)), CALL(rot90(x)),
      CALL(block<"row", "column">(std::tuple{x, x}, std::tuple{x, x})),
      CALL(meshgrid(take<"row">(x, 0), take<"column">(x, 0))), CALL(diagonal(x)), CALL(trace(x)),
      CALL(diag(diagonal(x))), CALL(expand<"k=2 row column">(x)), CALL(squeeze(unsqueeze<0>(x))),
      CALL(unsqueeze<0>(x)), CALL(flip<"row">(x)), CALL(slice<"row", 0, 2>(x)),
      CALL(rearrange<"r c -> (c r)">(x)), CALL(repeat<"r c -> r k=2 c">(x)),
      CALL(reduce<"r c -> r", op::sum>(x)), CALL(rename<"row -> k">(x)), CALL(reshape<"9">(x)),
      CALL(flatten(x)), CALL(split<"row", 3>(x)[0]), CALL(tril(x)), CALL(triu(x)),
      CALL(transpose(x)), CALL(window<"row", 2>(x)), CALL(roll<"row">(x, 1)),
      CALL(concat<"row">(x, x)), CALL(pad<"row", 1, 1>(x)), CALL(set<"row">(x, 0, T(0))),
      CALL(stack<"k">(x, x)), CALL(one_hot<"class=4">(x)));
  table.compare();
}

}  // namespace arrays_test
