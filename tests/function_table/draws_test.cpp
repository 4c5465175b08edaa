// Random draws.

#include <doctest/doctest.h>

#include "rows.hpp"

#include <tenon/distributions.hpp>

namespace draws_test {

using namespace tenon;

TEST_CASE("the table has what draws accept") {
  function_table::Table table("random");
  table.add<"n=4">(
      CALL(uniform<Tensor<T, S, D>>(Key{1})), CALL(normal<Tensor<T, S, D>>(Key{1})),
      CALL(bernoulli<Tensor<T, S, D>>(Key{1}, 0.5)), CALL(permutation<Tensor<T, S, D>>(Key{1})),
      CALL(random::randint<Tensor<T, S, D>>(Key{1}, 0, 4)), CALL(categorical<"n">(Key{1}, x)),
      CALL(random::exponential<Tensor<T, S, D>>(Key{1})),
      CALL(random::laplace<Tensor<T, S, D>>(Key{1})), CALL(random::cauchy<Tensor<T, S, D>>(Key{1})),
      CALL(random::gumbel<Tensor<T, S, D>>(Key{1})),
      CALL(random::lognormal<Tensor<T, S, D>>(Key{1}, 0.5)),
      CALL(random::rademacher<Tensor<T, S, D>>(Key{1})),
      CALL(random::truncated_normal<Tensor<T, S, D>>(Key{1}, -2, 2)),
      CALL(random::gamma<Tensor<T, S, D>>(Key{1}, 2.0)),
      CALL(random::beta<Tensor<T, S, D>>(Key{1}, 2.0, 2.0)),
      CALL(random::student_t<Tensor<T, S, D>>(Key{1}, 2.0)),
      CALL(random::poisson<Tensor<T, S, D>>(Key{1}, 2.0)),
      CALL(random::binomial<Tensor<T, S, D>>(Key{1}, 4, 0.5)),
      CALL(random::dirichlet<"n">(Key{1}, x)), CALL(random::multinomial<"n">(Key{1}, 4, x)),
      CALL(random::choice<Tensor<std::int32_t, "k=2", D>>(Key{1}, x)));
  table.add<"i=2 i=2">(CALL(random::multivariate_normal<Tensor<T, "n=4 i=2", D>>(
      Key{1}, take<0>(x, 0), x + 2 * eye<Tensor<T, "i=2 i=2", D>>())));
  table.compare();
}

}  // namespace draws_test
