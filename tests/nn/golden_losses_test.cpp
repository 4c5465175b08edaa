#include <tenon/nn.hpp>

#include "cases.hpp"

namespace golden_losses_test {

using namespace tenon;
using cases::Case;
using cases::of;

namespace {

using Rows = Float64<"batch class">;
using Batch = Float64<"batch">;
using Classes = Float64<"class">;
using Labels = Int64<"batch">;

/// Calls a loss with the labels of a case and, if it has them, the weights of the classes.
template <class F>
auto with_labels(Case const& c, F const& loss) {
  auto const labels = c.tensor<Labels>("labels");
  return c.arrays.contains("weight") ? loss(labels, c.tensor<Classes>("weight")) : loss(labels);
}

NLLOptions nll_options(Case const& c) {
  return {.ignore_index = static_cast<std::int64_t>(c.option("ignore_index", -100))};
}
CrossEntropyOptions cross_entropy_options(Case const& c) {
  return {.ignore_index = static_cast<std::int64_t>(c.option("ignore_index", -100)),
          .label_smoothing = c.option("label_smoothing", 0)};
}
MultiMarginOptions multi_margin_options(Case const& c) {
  return {.p = static_cast<int>(c.option("p", 1)), .margin = c.option("margin", 1)};
}

template <class R>
cases::Check nll() {
  return of<Rows>({"x"}, [](Case const& c, auto const& x) {
    return with_labels(
        c, [&](auto const&... y) { return nll_loss<"class", R>(x, y..., nll_options(c)); });
  });
}
template <class R>
cases::Check cross_entropy_of_labels() {
  return of<Rows>({"x"}, [](Case const& c, auto const& x) {
    return with_labels(c, [&](auto const&... y) {
      return cross_entropy<"class", R>(x, y..., cross_entropy_options(c));
    });
  });
}
template <class R>
cases::Check cross_entropy_of_probabilities() {
  return of<Rows>({"x"}, [](Case const& c, auto const& x) {
    auto const y = c.tensor<Rows>("labels");
    auto const options = cross_entropy_options(c);
    return c.arrays.contains("weight")
               ? cross_entropy<"class", R>(x, y, c.tensor<Classes>("weight"), options)
               : cross_entropy<"class", R>(x, y, options);
  });
}

/// The binary cross-entropy with the weights of the case.
template <class X, class Y>
auto with_logits(Case const& c, X const& x, Y const& y) {
  auto const positives = [&] { return PosWeight{c.tensor<Classes>("pos_weight")}; };
  auto const loss = [&](auto const&... w) {
    return binary_cross_entropy_with_logits<op::none>(x, y, w...);
  };
  if (!c.arrays.contains("weight"))
    return c.arrays.contains("pos_weight") ? loss(positives()) : loss();
  auto const weight = c.tensor<Rows>("weight");
  return c.arrays.contains("pos_weight") ? loss(weight, positives()) : loss(weight);
}

/// A loss of inputs `x` and `y`.
template <class F>
cases::Check pairs(F const& loss) {
  return of<Rows, Rows>({"x", "y"}, loss);
}

std::map<std::string, cases::Check> const of_elements{
    {"l1_loss",
     pairs([](Case const&, auto const& x, auto const& y) { return l1_loss<op::none>(x, y); })},
    {"mse_loss",
     pairs([](Case const&, auto const& x, auto const& y) { return mse_loss<op::none>(x, y); })},
    {"smooth_l1_loss", pairs([](Case const& c, auto const& x, auto const& y) {
       return smooth_l1_loss<op::none>(x, y, {.beta = c.option("beta", 1)});
     })},
    {"huber_loss", pairs([](Case const& c, auto const& x, auto const& y) {
       return huber_loss<op::none>(x, y, {.delta = c.option("delta", 1)});
     })},
    {"binary_cross_entropy", pairs([](Case const& c, auto const& x, auto const& y) {
       return c.arrays.contains("weight")
                  ? binary_cross_entropy<op::none>(x, y, c.tensor<Rows>("weight"))
                  : binary_cross_entropy<op::none>(x, y);
     })},
    {"binary_cross_entropy_with_logits",
     pairs([](Case const& c, auto const& x, auto const& y) { return with_logits(c, x, y); })},
    {"sigmoid_focal_loss", pairs([](Case const& c, auto const& x, auto const& y) {
       return sigmoid_focal_loss<op::none>(
           x, y, {.alpha = c.option("alpha", 0.25), .gamma = c.option("gamma", 2)});
     })},
    {"kl_div", pairs([](Case const& c, auto const& x, auto const& y) {
       return kl_div<op::none>(x, y, {.log_target = c.option("log_target", 0) != 0});
     })},
    {"poisson_nll_loss", pairs([](Case const& c, auto const& x, auto const& y) {
       return poisson_nll_loss<op::none>(x, y,
                                         {.log_input = c.option("log_input", 1) != 0,
                                          .full = c.option("full", 0) != 0,
                                          .eps = c.option("eps", 1e-8)});
     })},
    {"gaussian_nll_loss",
     of<Rows, Rows, Rows>({"x", "y", "variance"},
                          [](Case const& c, auto const& x, auto const& y, auto const& variance) {
                            return gaussian_nll_loss<op::none>(
                                x, y, variance,
                                {.full = c.option("full", 0) != 0, .eps = c.option("eps", 1e-6)});
                          })},
    {"hinge_embedding_loss", pairs([](Case const& c, auto const& x, auto const& y) {
       return hinge_embedding_loss<op::none>(x, y, {.margin = c.option("margin", 1)});
     })},
    {"margin_ranking_loss", of<Rows, Rows>({"a", "b"},
                                           [](Case const& c, auto const& a, auto const& b) {
                                             return margin_ranking_loss<op::none>(
                                                 a, b, c.tensor<Rows>("y"),
                                                 {.margin = c.option("margin", 0)});
                                           })},
    {"soft_margin_loss", pairs([](Case const&, auto const& x, auto const& y) {
       return soft_margin_loss<op::none>(x, y);
     })},
    {"multilabel_soft_margin_loss", pairs([](Case const&, auto const& x, auto const& y) {
       return multilabel_soft_margin_loss<"class", op::none>(x, y);
     })},
};

std::map<std::string, cases::Check> const of_labels{
    {"nll_loss", nll<op::none>()},
    {"nll_loss_mean", nll<op::mean>()},
    {"cross_entropy", cross_entropy_of_labels<op::none>()},
    {"cross_entropy_mean", cross_entropy_of_labels<op::mean>()},
    {"cross_entropy_of_probabilities", cross_entropy_of_probabilities<op::none>()},
    {"cross_entropy_of_probabilities_mean", cross_entropy_of_probabilities<op::mean>()},
    {"multi_margin_loss", of<Rows>({"x"},
                                   [](Case const& c, auto const& x) {
                                     return with_labels(c, [&](auto const&... y) {
                                       return multi_margin_loss<"class", op::none>(
                                           x, y..., multi_margin_options(c));
                                     });
                                   })},
    {"multilabel_margin_loss", of<Rows>({"x"},
                                        [](Case const& c, auto const& x) {
                                          return multilabel_margin_loss<"class", op::none>(
                                              x, c.tensor<Int64<"batch class">>("labels"));
                                        })},
};

std::map<std::string, cases::Check> const of_vectors{
    {"cosine_similarity", of<Rows, Rows>({"a", "b"},
                                         [](Case const& c, auto const& a, auto const& b) {
                                           return cosine_similarity<"class">(
                                               a, b, {.eps = c.option("eps", 1e-8)});
                                         })},
    {"pairwise_distance",
     of<Rows, Rows>({"a", "b"},
                    [](Case const& c, auto const& a, auto const& b) {
                      return pairwise_distance<"class">(
                          a, b, {.p = c.option("p", 2), .eps = c.option("eps", 1e-6)});
                    })},
    {"pdist",
     of<Rows>({"x"}, [](Case const& c,
                        auto const& x) { return pdist<"batch">(x, {.p = c.option("p", 2)}); })},
    {"cosine_embedding_loss", of<Rows, Rows>({"a", "b"},
                                             [](Case const& c, auto const& a, auto const& b) {
                                               return cosine_embedding_loss<"class", op::none>(
                                                   a, b, c.tensor<Batch>("labels"),
                                                   {.margin = c.option("margin", 0)});
                                             })},
    {"triplet_margin_loss",
     of<Rows, Rows, Rows>({"a", "b", "c"},
                          [](Case const& c, auto const& a, auto const& b, auto const& other) {
                            return triplet_margin_loss<"class", op::none>(
                                a, b, other,
                                {.margin = c.option("margin", 1),
                                 .p = c.option("p", 2),
                                 .eps = c.option("eps", 1e-6),
                                 .swap = c.option("swap", 0) != 0});
                          })},
};

template <class R>
cases::Check ctc() {
  return of<Float64<"time batch class">>({"x"}, [](Case const& c, auto const& x) {
    return ctc_loss<"time", "class", R>(
        log_softmax<"class">(x), c.tensor<Int32<"batch label">>("labels"),
        c.tensor<Int32<"batch">>("steps"), c.tensor<Labels>("lengths"),
        {.blank = static_cast<std::int64_t>(c.option("blank", 0)),
         .zero_infinity = c.option("zero_infinity", 0) != 0});
  });
}
std::map<std::string, cases::Check> const of_sequences{{"ctc_loss", ctc<op::none>()},
                                                       {"ctc_loss_mean", ctc<op::mean>()}};

}  // namespace

TEST_CASE("losses of sequences and their gradients are those of PyTorch") {
  cases::run("losses_of_sequences.txt", of_sequences);
}
TEST_CASE("losses of elements and their gradients are those of PyTorch") {
  cases::run("losses_of_elements.txt", of_elements);
}
TEST_CASE("losses of labels and their gradients are those of PyTorch") {
  cases::run("losses_of_labels.txt", of_labels);
}
TEST_CASE("losses of vectors and their gradients are those of PyTorch") {
  cases::run("losses_of_vectors.txt", of_vectors);
}

TEST_CASE("the axis of classes may come first, without a name, with a static size") {
  auto const x = normal<Float64<"3 4">>(Key(1));
  Int64<"4"> const labels{2, 0, 1, -100};
  Float64<"3"> const weight{1, 2, 0.5};
  Int64<"4 3"> const lists{{0, 2, -1}, {-1, 0, 0}, {1, 1, 2}, {2, -1, 0}};
  auto const turned = eval(transpose(x));
  auto const same = [](auto const& a, auto const& b) {
    CHECK(allclose(a, b, {.relative = 1e-14}));
  };
  CrossEntropyOptions const options{.label_smoothing = 0.2};
  same(cross_entropy<0>(x, labels, weight, options),
       cross_entropy<1>(turned, labels, weight, options));
  same(nll_loss<0>(x, labels, weight), nll_loss<1>(turned, labels, weight));
  same(cross_entropy<0>(x, x, weight, options), cross_entropy<1>(turned, turned, weight, options));
  auto const known = eval(where(labels < 0, 0, labels));
  same(multi_margin_loss<0>(x, known, weight), multi_margin_loss<1>(turned, known, weight));
  same(multilabel_margin_loss<0>(x, eval(transpose(lists))),
       multilabel_margin_loss<1>(turned, lists));
  same(cosine_embedding_loss<0>(x, square(x), to<double>(labels)),
       cosine_embedding_loss<1>(turned, square(turned), to<double>(labels)));
  same(pdist<1>(x), pdist<0>(turned));
}

TEST_CASE("weights of binary cross-entropies broadcast") {
  auto const x = normal<Rows>(Key(1), 3, 4), y = uniform<Rows>(Key(2), 3, 4);
  Float64<"class=4"> const weight{1, 0, 2, 0.5};
  Float64<"batch class=1"> const of_rows{{3}, {1}, {2}};
  auto const wide = eval(weight + zeros_like(x));
  auto const same = [](auto const& a, auto const& b) {
    CHECK(allclose(a, b, {.relative = 1e-14}));
  };
  auto const p = eval(sigmoid(x));
  same(binary_cross_entropy(p, y, weight), binary_cross_entropy(p, y, wide));
  same(binary_cross_entropy_with_logits<op::none>(x, y, of_rows),
       binary_cross_entropy_with_logits<op::none>(x, y) * of_rows);
  same(binary_cross_entropy_with_logits(x, y, weight, PosWeight{of_rows}),
       binary_cross_entropy_with_logits(x, y, wide, PosWeight{eval(of_rows + 0 * x)}));
  CHECK_THROWS_AS(binary_cross_entropy(p, y, ones<Classes>(3)), ShapeError);
  CHECK_THROWS_AS(binary_cross_entropy_with_logits(x, y, PosWeight{ones<Classes>(3)}), ShapeError);
}

TEST_CASE("losses of 16-bit numbers and of another device") {
  Float16<"n=2"> const x{1, 2}, y{1, 4};
  CHECK(float(huber_loss(x, y, {.delta = 0.5}).item()) == 0.4375f);
  CHECK(float(binary_cross_entropy_with_logits<op::sum>(x, y, PosWeight{2}).item()) ==
        doctest::Approx(-4.739).epsilon(0.01));
  Float32<"batch class=2", Reference> const z{{1, 2}, {0, 4}};
  Int32<"batch", Reference> const labels{1, 0};
  CHECK(nll_loss<"class">(z, labels).item() == -1);
  CHECK(multi_margin_loss<"class">(z, labels, {.p = 2}).item() == doctest::Approx(25.0 / 4));
  CHECK(pdist<"batch">(z)(0) == doctest::Approx(std::sqrt(5)));
  CHECK(pairwise_distance<"class">(z, z, {.p = 3, .eps = 0})(1) == 0);
}

TEST_CASE("refused sizes, labels and numbers of losses throw") {
  auto const x = zeros<Rows>(2, 3);
  auto const labels = full<Labels>(-100, 2);
  CHECK_THROWS_WITH_AS(huber_loss(x, zeros<Rows>(2, 1)),
                       "tenon::huber_loss: 'class': expected 3, got 1 (run-time sizes of \"batch "
                       "class\")",
                       ShapeError);
  CHECK_THROWS_WITH_AS(cross_entropy<"class">(x, labels),
                       "tenon::cross_entropy: expected labels from 0 to 2, got -100 (label 0)",
                       IndexError);
  CHECK_THROWS_WITH_AS(nll_loss<"class">(x, full<Labels>(3, 2)),
                       "tenon::nll_loss: expected labels from 0 to 2, got 3 (label 0)", IndexError);
  CHECK_THROWS_WITH_AS(
      gaussian_nll_loss(x, x, x - 1),
      "tenon::gaussian_nll_loss: 'variance': expected numbers of at least 0, got a "
      "negative one",
      ValueError);
  auto const log_p = zeros<Float64<"time batch class">>(2, 1, 3);
  Int32<"batch"> const one{1}, three{3};
  Int32<"batch label"> const label{{1}}, no_label{{3}};
  CHECK_THROWS_WITH_AS((ctc_loss<"time", "class">(log_p, label, three, one)),
                       "tenon::ctc_loss: 'steps': expected 0 to 2, got 3", ValueError);
  CHECK_THROWS_WITH_AS(
      (ctc_loss<"time", "class">(log_p, zeros<Int32<"batch label">>(0, 1), one, one)),
      "tenon::ctc_loss: 'batch': expected 1, got 0 (run-time sizes of \"batch\")", ShapeError);
  CHECK((ctc_loss<"time", "class">(log_p, label, Int32<"1">{1}, Int32<"_">{1}).item() == 0));
  CHECK_THROWS_WITH_AS((ctc_loss<"time", "class">(log_p, no_label, one, one)),
                       "tenon::ctc_loss: expected labels from 0 to 2, got 3", IndexError);
  CHECK_THROWS_WITH_AS(pairwise_distance<"class">(x, x, {.p = 0}),
                       "tenon::pairwise_distance: 'p': expected a number above 0, got 0.000000",
                       ValueError);
  CHECK_THROWS_WITH_AS(multi_margin_loss<"class">(x, full<Labels>(0, 2), {.p = 3}),
                       "tenon::multi_margin_loss: 'p': expected 1 or 2, got 3", ValueError);
}

}  // namespace golden_losses_test
