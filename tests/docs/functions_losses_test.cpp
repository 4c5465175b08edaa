// Examples of docs/functions/: losses.

#include <doctest/doctest.h>

#include <cmath>

#include <tenon/nn.hpp>

namespace functions_losses_test {

using namespace tenon;

Float32<"n=2"> const x{1, 2}, y{1, 4};

TEST_CASE("losses of elements") {
  CHECK(l1_loss(x, y).item() == 1);

  CHECK(mse_loss(x, y).item() == 2);
  CHECK(mse_loss<op::sum>(x, y).item() == 4);
  CHECK(mse_loss<op::none>(x, y)(1) == 4);

  CHECK(smooth_l1_loss(x, y, {.beta = 4}).item() == doctest::Approx(0.25));

  CHECK(huber_loss(x, y, {.delta = 2}).item() == 1);

  Float32<"n=2"> const p{0.5f, 1}, target{1, 1};
  CHECK(binary_cross_entropy(p, target).item() == doctest::Approx(0.346574));

  auto const loss = binary_cross_entropy_with_logits(0 * x, ones_like(x));
  CHECK(loss.item() == doctest::Approx(0.693147));
  Float32<"n=2"> const weight{2, 0};
  auto const weighted = binary_cross_entropy_with_logits(0 * x, ones_like(x), weight, PosWeight{3});
  CHECK(weighted.item() == doctest::Approx(3 * 0.693147));

  CHECK(sigmoid_focal_loss(0 * x, ones_like(x), {.alpha = 1, .gamma = 1}).item() ==
        doctest::Approx(0.5 * 0.693147));

  auto const log_p = log_softmax<"n">(x);
  CHECK(kl_div<op::sum>(log_p, softmax<"n">(x)).item() == doctest::Approx(0));
  CHECK(kl_div(log_p, log_p, {.log_target = true}).item() == doctest::Approx(0));

  CHECK(poisson_nll_loss(x, y, {.log_input = false}).item() == doctest::Approx(0.113706));

  CHECK(gaussian_nll_loss(x, y, ones_like(x)).item() == doctest::Approx(1));

  Float32<"n=2"> const signs{1, -1};
  CHECK(hinge_embedding_loss(x, signs, {.margin = 5}).item() == 2);

  CHECK(margin_ranking_loss(x, y, signs).item() == 0);

  CHECK(soft_margin_loss(x, signs).item() == doctest::Approx(1.220095));
}

TEST_CASE("losses of classes") {
  auto const logits = zeros<Float32<"batch digit=10">>(4);
  Int32<"batch"> const labels{3, 1, 4, 1};
  CHECK(cross_entropy<"digit">(logits, labels).item() == doctest::Approx(2.302585));
  CHECK(
      cross_entropy<"digit">(logits, labels, {.ignore_index = 1, .label_smoothing = 0.1}).item() ==
      doctest::Approx(2.302585));
  auto const weight = ones<Float32<"digit=10">>();
  CHECK(cross_entropy<"digit">(logits, labels, weight).item() == doctest::Approx(2.302585));
  CHECK(cross_entropy<"digit">(logits, one_hot<"digit=10">(labels)).item() ==
        doctest::Approx(2.302585));

  auto const scores = log_softmax<"digit">(logits);
  CHECK(nll_loss<"digit">(scores, labels, {.ignore_index = 1}).item() == doctest::Approx(2.302585));

  CHECK(multi_margin_loss<"digit">(logits, labels, {.p = 2}).item() == doctest::Approx(0.9));

  auto const all_labels = full<Int32<"batch digit=10">>(-1, 4);  // none
  CHECK(multilabel_margin_loss<"digit">(logits, all_labels).item() == 0);

  CHECK(multilabel_soft_margin_loss<"digit">(logits, logits).item() == doctest::Approx(0.693147));
}

TEST_CASE("losses of sequences") {
  auto const log_p = log_softmax<"class">(zeros<Float32<"time batch class=3">>(2, 1));
  Int32<"batch label"> const labels{{1}};
  Int32<"batch"> const steps{2}, lengths{1};
  CHECK(ctc_loss<"time", "class">(log_p, labels, steps, lengths).item() ==
        doctest::Approx(-std::log(3.0 / 9)));
  Int32<""> const two(2), one(1);
  CHECK(ctc_loss<"time", "class">(take<"batch">(log_p, 0), labels[0], two, one).item() ==
        doctest::Approx(-std::log(3.0 / 9)));
}

TEST_CASE("losses of vectors") {
  Float32<"point=3 d=2"> const a{{0, 0}, {3, 4}, {6, 8}}, b{{3, 4}, {3, 4}, {8, -6}};
  CHECK(pairwise_distance<"d">(a, b, {.p = 1})(0) == doctest::Approx(7));

  CHECK(cosine_similarity<"d">(a, b)(1) == doctest::Approx(1));

  CHECK(allclose(pdist<"point">(a), Float32<"3">{5, 10, 5}));

  CHECK(cosine_embedding_loss<"d", op::none>(a, b, Float32<"point=3">{1, -1, 1})(1) ==
        doctest::Approx(1));

  CHECK(triplet_margin_loss<"d">(a, a, b, {.margin = 1}).item() == doctest::Approx(1.0 / 3));
}

}  // namespace functions_losses_test
