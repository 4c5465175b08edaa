// The tables of networks in docs/from_pytorch_numpy_eigen.md: each of their lines of code is a line
// here, with its value.

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <tuple>

#include <tenon/distributions.hpp>
#include <tenon/indexing.hpp>
#include <tenon/nn.hpp>
#include <tenon/optim.hpp>

#include "prints.hpp"

namespace lines_networks_test {

using namespace tenon;

namespace {

Float32<"row=2 column=3"> const x{{1, 2, 3}, {4, 5, 6}};
Float32<"column=3"> const v{3, 0, -1};
Float32<"n=2"> const u{3, 4};
Float32<"n=2 n=2"> const s{{2, 1}, {1, 3}};
Int32<"row=2"> const y{2, 0};

Float32<"column=3"> const g{1, 0, 1};
Float32<"column=3"> const e{1, -1, 1};
Float32<"column=3 n=2"> const w{{1, 0}, {0, 1}, {1, 1}};
Float32<"t=2 d=2"> const a{{1, 0}, {2, 1}};
auto const t = eval(reshape<"batch=1 channel=1 time=4">(Float32<"4">{1, 2, 4, 8}));
auto const k = eval(reshape<"channel=1 channel=1 time=2">(Float32<"2">{1, -1}));
auto const p = eval(reshape<"batch=1 channel=1 height=2 width=2">(s));
constexpr ConvOptions plain{.bias = false}, same{.padding = "same", .bias = false};
constexpr ConvTransposeOptions plain_transpose{.bias = false};
constexpr InterpolateOptions twice{.scale_factor = 2, .mode = "linear"};
auto const halves = [](auto const& m) {
  return tree::map([](auto const& leaf) { return eval(0 * leaf + 0.5f); }, m);
};
auto const lstm = halves(LSTM<"d=2", "hidden=1", "t">());  // nn.LSTM(2, 1, batch_first=True)
auto const gru = halves(GRU<"d=2", "hidden=1", "t">());
auto const h = gru(a).second;

TEST_CASE("lines of the page: tensors") {
  prints("[[[85.]]]", matmul(t, transpose(t)));
  prints("[[[1.]] [[2.]] [[4.]] [[8.]]]", rearrange<"batch channel time -> time batch channel">(t));
  prints("[[1. 4.] [2. 5.] [3. 6.]]", transpose<"row column">(x));
  prints("[[3. 1.] [6. 4.]]", take<"column">(x, y));
  prints("[3. 4.]", pick<"column">(x, y));
  prints("[[1. 2. 3.] [4. 0. 0.]]", where(x > 4, 0, x));
  prints("[5. 6.]", masked_select(x, x > 4));
  prints("[[[4. 8.]]]", split<"time", 2>(t)[1]);
  prints("[[[2. 4. 8.]]]", slice<"time", 1, to_end>(t));
  prints("1.6996732", stddev(v));
  prints("[3.407606 6.407606]", logsumexp<"column">(x));
  prints("[0 0]", random::choice<Int32<"2">>(Key{1}, relu(v)));
  prints("0", argmax(v));
  prints("21", sum(x).item());
  prints("6", x.size());
  prints("[[1. 2. 3.] [4. 5. 6.]]", to<double>(x));
  prints("[0.21996987]", stop_gradient(h));
}

TEST_CASE("lines of the page: activations of networks") {
  prints("[3. 0. -0.63212055]", elu(v));
  prints("[3. 0. -0.78693867]", celu(v, 2));
  prints("[3.152103 0. -1.1113307]", selu(v));
  prints("[2.9959502 0. -0.15865526]", gelu(v));
  prints("[2.9963627 0. -0.15880801]", gelu_tanh(v));
  prints("[2.8577225 0. -0.26894143]", silu(v));
  prints("[2.986535 0. -0.30340147]", mish(v));
  prints("[3.0485873 0.6931472 0.3132617]", softplus(v));
  prints("[6. 0. 0.]", relu6(3 * v));
  prints("[1. 0. -1.]", hardtanh(v));
  prints("[3. 0. -0.33333334]", hardswish(v));
  prints("[3. 0. -1.]", hardshrink(v));
  prints("[2.5 0. -0.5]", softshrink(v));
  prints("[2.0049453 0. -0.23840582]", tanhshrink(v));
  prints("[3. 20. 20.]", threshold(v, 1, 20));
  prints("[0.75 0. -0.5]", softsign(v));
  prints("[-0.04858735 -0.6931472 -1.3132617]", logsigmoid(v));
  prints("[0.95257413 0.5 0.26894143]", sigmoid(v));
  prints("[0.9950548 0. -0.7615942]", tanh(v));
  prints("[3. 0. -0.5]", prelu(v, Float32<"">(0.5f)));
  prints("[0.01321288 0.26538792 0.7213991]", softmin<"column">(v));
  prints("[-0.06588391 -3.0658839 -4.065884]", log_softmax<"column">(v));
  prints("[[[0.98201376 1.9993293]]]", glu<"time">(t));
  prints("[3. 0. 0.]", ReLU()(v));
  prints("[3. 0. -0.2]", LeakyReLU{0.2}(v));
  prints("[2.8577225 0. -0.26894143]", SiLU()(v));
  prints("[3. 0. -1.]", Identity()(v));
  prints("[0.9950548 0. 0.]", Sequential{ReLU(), Tanh()}(v));
}

TEST_CASE("lines of the page: losses of networks") {
  prints("1.3333334", l1_loss(v, g));
  prints("8.0", mse_loss<op::sum>(v, g));
  prints("[4. 0. 4.]", mse_loss<op::none>(v, g));
  prints("1.0", smooth_l1_loss(v, g));
  prints("1.1666666", smooth_l1_loss(v, g, {.beta = 0.5}));
  prints("1.4076061", cross_entropy<"column">(x, y));
  prints("[0.40760604 2.4076061]", cross_entropy<"column", op::none>(x, y));
  prints("1.4076061", cross_entropy<"column">(x, y, g));
  prints("0.40760604", cross_entropy<"column">(x, y, {.ignore_index = 0}));
  prints("0.83239555", cross_entropy<"column">(x, softmax<"column">(x)));
  prints("1.4076061", nll_loss<"column">(log_softmax<"column">(x), y));
  prints("0.6849987", binary_cross_entropy(sigmoid(v), g));
  prints("0.68499875", binary_cross_entropy_with_logits(v, g));
  prints("1.1389484", binary_cross_entropy_with_logits(v, g, PosWeight{2}));
  prints("1.2038894", kl_div<op::sum>(log_softmax<"column">(v), softmax<"column">(g)));
  prints("6.4844723", poisson_nll_loss(v, g));
  prints("0.89771575", gaussian_nll_loss(v, g, g + 1));
  prints("1.0", hinge_embedding_loss(v, e));
  prints("0.6666667", margin_ranking_loss(v, g, e));
  prints("0.68499875", soft_margin_loss(v, e));
  prints("0.8333333", multi_margin_loss<"column">(x, y));
  prints("[0.9925833 0.9996457]", cosine_similarity<"column">(x, x + 1));
  prints("[3.741659 8.774966]", pairwise_distance<"column">(x, 0 * x));
  prints("0.13397431", triplet_margin_loss<"column">(x, x + 1, x + 1.5f));
}

TEST_CASE("lines of the page: layers of networks") {
  prints("[[4. 5.] [10. 11.]]", matmul(x, w));
  prints("[[7. 9.] [13. 15.]]", Linear<"column=3", "n=2">{w, u}(x));
  prints("[[1. 1.] [1. 0.]]", Embedding<"column=3", "n=2">{w}(y));
  prints("[[0. 0. 1.] [1. 0. 0.]]", one_hot<"class=3">(y));
  prints("[[-1.2247356 0. 1.2247356] [-1.2247356 0. 1.2247356]]", LayerNorm<"column=3">()(x));
  prints("[[0.46290955 0.9258191 1.3887286] [0.7895419 0.9869274 1.1843128]]",
         RMSNorm<"column=3">{.epsilon = 1e-5f}(x));
  prints("[[0.999995 1.99999 2.999985] [3.99998 4.999975 5.99997]]", BatchNorm1d<"column=3">()(x));
  prints("[[-0.9999978 -0.9999978 -0.9999978] [0.9999978 0.9999978 0.9999978]]",
         BatchNorm1d<"column=3">()(x, Training{}).first);
  prints("[[[-1.0257546 -0.65275294 0.09325042 1.585257]]]", InstanceNorm<"time">()(t));
  prints("[[[[0.30150914 -0.9045274] [-0.9045274 1.5075457]]]]",
         GroupNorm<"channel=1", 1, "height width">()(p));
  prints("[[0.26726124 0.5345225 0.8017837] [0.45584232 0.5698029 0.68376344]]",
         normalize<"column">(x));
  prints("[[1. 2. 3.] [4. 5. 6.]]", Dropout{0.5f}(x));
  prints("[[[-1. -2. -4.]]]", Conv1d<"channel=1", "channel=1", 2, plain>{k, {}}(t));
  prints("[[[-1. -2. -4. 8.]]]", Conv1d<"channel=1", "channel=1", 2, same>{k, {}}(t));
  prints("[[[1. 1. 2. 4. -8.]]]",
         ConvTranspose1d<"channel=1", "channel=1", 2, plain_transpose>{k, {}}(t));
  prints("[[[2. 8.]]]", MaxPool1d<2>()(t));
  prints("[[[1.5 6.]]]", AvgPool1d<2>()(t));
  prints("[[[[3.]]]]", MaxPool2d<2>()(p));
  prints("[[[[1.75]]]]", AdaptiveAvgPool2d<1>()(p));
  prints("[[[2. 8.]]]", AdaptiveMaxPool1d<2>()(t));
  prints("[[[1. 1. 2. 2. 4. 4. 8. 8.]]]", interpolate<"time=8">(t));
  prints("[[[1. 1.25 1.75 2.5 3.5 5. 7. 8.]]]", interpolate<"time", twice>(t));
  prints("[7. 3. 0. -1. 7. 7.]", pad<"column", 1, 2>(v, 7));
  prints("[[[2.] [1.] [1.] [3.]]]", unfold<"channel", 2>(p));
  prints("[[[[2.]] [[1.]] [[1.]] [[3.]]]]", pixel_unshuffle<2>(p));
  prints("[[2. 1. 1. 3.]]", flatten<"channel height width">(p));
  prints("[[1.6697615 0.66976154] [1.8929582 0.89295816]]", scaled_dot_product_attention(a, a, a));
  prints("[[1. 0.] [1.8929582 0.89295816]]", scaled_dot_product_attention(a, a, a, is_causal));
  prints("[[1.5249792 0.5249792] [1.5744425 0.5744425]]",
         scaled_dot_product_attention(a, a, a, AttentionScale{0.1}));
}

TEST_CASE("lines of the page: recurrent layers") {
  prints("[[0.51438594] [0.8706094]]", lstm(a).first);
  prints("[1.628633]", lstm(a).second.c);
  prints("[[0.8550585] [0.94526964]]", lstm(a, lstm(a).second).first);
  prints("[0.21996987]", gru(a).second);
  prints("[[0.33436418] [0.3769096]]", gru(a, stop_gradient(h)).first);
  prints("[[1. 1.] [1. 0.]]", Embedding<"column=3", "n=2">{w}(y));
}

TEST_CASE("lines of the page: training of networks") {
  prints("0.05", StepLR{.rate = 0.5, .step_size = 30}(30));
  prints("0.05", MultiStepLR{.rate = 0.5, .milestones = {10, 20}}(15));
  prints("0.25", ExponentialLR{.rate = 1, .gamma = 0.5}(2));
  prints("0.25", CosineAnnealingLR{.rate = 0.5, .t_max = 100}(50));
  prints("0.75", LinearLR{.rate = 1, .start_factor = 0.5, .total_iters = 4}(2));
  prints("[0.6 0.8]", clip_by_global_norm(u, 1));
  prints("[3. 3.5]", clip_by_value(u, 3.5));
  prints("[0. 0.]", SGD{.rate = 1}.step(u, u, SGD{}.init(u)).first);
  prints("[2. 3.]", Adam{.rate = 1}.step(u, u, Adam{}.init(u)).first);
  prints("[2. 3.]", AdamW{.rate = 1, .weight_decay = 0}.step(u, u, AdamW{}.init(u)).first);
  prints("[3. 0. -1.]", stop_gradient(v));
  prints("[6. 8.]", grad([](auto const& m) {
           return sum(checkpoint([](auto const& z) { return eval(z * z); })(m));
         })(u));
}

}  // namespace
}  // namespace lines_networks_test
