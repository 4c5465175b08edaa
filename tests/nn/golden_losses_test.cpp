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
    {"binary_cross_entropy_with_logits", pairs([](Case const& c, auto const& x, auto const& y) {
       return c.arrays.contains("pos_weight") ? binary_cross_entropy_with_logits<op::none>(
                                                    x, y, c.tensor<Classes>("pos_weight"))
                                              : binary_cross_entropy_with_logits<op::none>(x, y);
     })},
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

}  // namespace

TEST_CASE("losses of elements and their gradients are those of PyTorch") {
  cases::run("losses_of_elements.txt", of_elements);
}
TEST_CASE("losses of labels and their gradients are those of PyTorch") {
  cases::run("losses_of_labels.txt", of_labels);
}
TEST_CASE("losses of vectors and their gradients are those of PyTorch") {
  cases::run("losses_of_vectors.txt", of_vectors);
}

}  // namespace golden_losses_test
