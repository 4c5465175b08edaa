#include "torch_steps.hpp"

#include <dlfcn.h>
#include <torch/torch.h>

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace torch_steps {

namespace {

using at::Tensor;
using Sizes = std::vector<std::int64_t>;

/// Also sets OpenBLAS, which has its own threads, if libtorch uses it.
void take_one_thread() {
  at::set_num_threads(1);
  void* const found = dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
  if (found != nullptr) reinterpret_cast<void (*)(int)>(found)(1);
}

Tensor copied(float const* from, Sizes const& sizes) {
  return torch::from_blob(const_cast<float*>(from), sizes).clone();
}
Tensor integers(std::int32_t const* from, Sizes const& sizes) {
  auto const all = torch::from_blob(const_cast<std::int32_t*>(from), sizes, torch::kInt32);
  return all.to(torch::kInt64);
}

std::vector<float> elements(Tensor const& x) {
  Tensor const flat = x.contiguous();
  return {flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel()};
}

/// The location of the gradient of one of Tenon's leaves: a part of a parameter. Weights "in out"
/// are stored as "out in", as libtorch does.
struct SourceLocation {
  std::size_t parameter;
  std::int64_t part, parts;
  bool is_transposed;
};

struct Parameters {
  std::vector<Tensor> all;
  std::vector<SourceLocation> places;  ///< The leaves, in order.

  Tensor add(Tensor const& x) { return all.emplace_back(x.requires_grad_(true)); }
  Tensor plain(float const* from, Sizes const& sizes) {
    places.push_back({all.size(), 0, 1, false});
    return add(copied(from, sizes));
  }

  std::vector<std::vector<float>> gradients() const {
    std::vector<std::vector<float>> found;
    for (SourceLocation const& at : places) {
      Tensor const part = all[at.parameter].grad().chunk(at.parts)[at.part];
      found.push_back(elements(at.is_transposed ? part.t() : part));
    }
    return found;
  }
  void forget() {
    for (Tensor& x : all) x.mutable_grad() = Tensor();
  }
};

struct LinearLayer {
  Tensor weight, bias;
  Tensor operator()(Tensor const& x) const { return torch::linear(x, weight, bias); }
};

/// A layer whose results are those of several of Tenon's, concatenated; advances past their leaves.
LinearLayer linear(Parameters& p, Leaves const& leaves, std::size_t& at, std::int64_t in,
                   std::int64_t out, std::int64_t count = 1) {
  std::vector<Tensor> weights, biases;
  for (std::int64_t i = 0; i < count; ++i) {
    p.places.push_back({p.all.size(), i, count, true});
    p.places.push_back({p.all.size() + 1, i, count, false});
    weights.push_back(copied(leaves[at++], {in, out}).t());
    biases.push_back(copied(leaves[at++], {out}));
  }
  Tensor const weight = p.add(torch::cat(weights).contiguous());
  return {weight, p.add(torch::cat(biases))};
}

struct Norm {
  Tensor weight, bias;
  Tensor operator()(Tensor const& x) const {
    return torch::layer_norm(x, weight.sizes(), weight, bias);
  }
};
Norm norm(Parameters& p, Leaves const& leaves, std::size_t& at, std::int64_t width) {
  Tensor const weight = p.plain(leaves[at++], {width});
  return {weight, p.plain(leaves[at++], {width})};
}

/// Softmax of scaled matmuls, "batch head t feature"; `hidden`: the keys that each query does not
/// attend to.
Tensor attend(Tensor const& q, Tensor const& k, Tensor const& v, Tensor const& hidden) {
  double const scale = 1 / std::sqrt(static_cast<double>(q.size(-1)));
  Tensor const scores = (q * scale).matmul(k.transpose(-2, -1));
  float const none = -std::numeric_limits<float>::infinity();
  return torch::softmax(scores.masked_fill(hidden, none), -1).matmul(v);
}
Tensor hidden_keys(std::int64_t length) {
  return torch::ones({length, length}, torch::kBool).triu(1);
}

struct Block {
  LinearLayer query_key_value, output, up, down;
  Norm norm1, norm2;
  std::int64_t heads;
  Tensor hidden;

  Block(Parameters& p, GptSizes const& n, Leaves const& leaves, std::size_t& at)
      : query_key_value(linear(p, leaves, at, n.embed, n.embed, 3)),
        output(linear(p, leaves, at, n.embed, n.embed)),
        up(linear(p, leaves, at, n.embed, 4 * n.embed)),
        down(linear(p, leaves, at, 4 * n.embed, n.embed)),
        norm1(norm(p, leaves, at, n.embed)),
        norm2(norm(p, leaves, at, n.embed)),
        heads(n.heads),
        hidden(hidden_keys(n.length)) {}

  Tensor attended(Tensor const& x) const {
    auto const b = x.size(0), t = x.size(1), d = x.size(2);
    auto const parts = query_key_value(x).split(d, 2);
    auto const in_heads = [&](Tensor const& y) {
      return y.view({b, t, heads, d / heads}).transpose(1, 2);
    };
    auto const y = attend(in_heads(parts[0]), in_heads(parts[1]), in_heads(parts[2]), hidden);
    return output(y.transpose(1, 2).contiguous().view({b, t, d}));
  }
  Tensor operator()(Tensor const& x) const {
    Tensor const y = x + attended(norm1(x));
    return y + down(torch::gelu(up(norm2(y))));
  }
};

/// Steps of a model with gradients from `backward()`.
template <class Backward>
Training training(std::shared_ptr<Parameters> const& p, Backward const& backward) {
  return {[=] {
            p->forget();
            backward();
          },
          [=] { return p->gradients(); }};
}

template <class Optimiser, class Loss>
Training trained(std::shared_ptr<Parameters> const& p, Optimiser optimiser, Loss const& loss) {
  return training(p, [=] {
    loss().backward();
    optimiser->step();
  });
}

}  // namespace

Training mlp(MlpSizes const& n, Leaves const& leaves, float const* images,
             std::int32_t const* labels, double rate) {
  take_one_thread();
  auto const p = std::make_shared<Parameters>();
  std::size_t at = 0;
  auto const first = linear(*p, leaves, at, n.in, n.hidden);
  auto const second = linear(*p, leaves, at, n.hidden, n.out);
  auto const sgd = std::make_shared<torch::optim::SGD>(p->all, rate);
  return trained(p, sgd, [=, x = copied(images, {n.batch, n.in}), y = integers(labels, {n.batch})] {
    return torch::cross_entropy_loss(second(torch::relu(first(x))), y);
  });
}

Training block(GptSizes const& n, Leaves const& leaves, float const* adjoint) {
  take_one_thread();
  auto const p = std::make_shared<Parameters>();
  std::size_t at = 0;
  Sizes const sizes{n.batch, n.length, n.embed};
  auto const one = Block(*p, n, leaves, at);
  auto const x = p->plain(leaves[at], sizes);
  return training(p, [=, given = copied(adjoint, sizes)] { one(x).backward(given); });
}

Training gpt(GptSizes const& n, Leaves const& leaves, std::int32_t const* tokens,
             std::int32_t const* answers, double rate) {
  take_one_thread();
  auto const p = std::make_shared<Parameters>();
  std::size_t at = 0;
  auto const words = p->plain(leaves[at++], {n.words, n.embed});
  auto const places = p->plain(leaves[at++], {n.length, n.embed});
  std::vector<Block> blocks;
  for (std::int64_t i = 0; i < n.layers; ++i) blocks.emplace_back(*p, n, leaves, at);
  auto const last_norm = norm(*p, leaves, at, n.embed);
  auto const head = linear(*p, leaves, at, n.embed, n.words);
  auto const adam = std::make_shared<torch::optim::AdamW>(p->all, torch::optim::AdamWOptions(rate));
  auto const x = integers(tokens, {n.batch, n.length});
  auto const y = integers(answers, {n.batch * n.length});
  return trained(p, adam, [=] {
    Tensor h = torch::embedding(words, x) + places;
    for (Block const& one : blocks) h = one(h);
    return torch::cross_entropy_loss(head(last_norm(h)).view({-1, n.words}), y);
  });
}

Training attention(GptSizes const& n, Leaves const& leaves, float const* adjoint) {
  take_one_thread();
  auto const p = std::make_shared<Parameters>();
  Sizes const sizes{n.batch, n.length, n.heads, n.embed / n.heads};
  auto const q = p->plain(leaves[0], sizes), k = p->plain(leaves[1], sizes),
             v = p->plain(leaves[2], sizes);
  return training(p, [=, given = copied(adjoint, sizes), hidden = hidden_keys(n.length)] {
    auto const turned = [](Tensor const& y) { return y.transpose(1, 2); };
    turned(attend(turned(q), turned(k), turned(v), hidden)).backward(given);
  });
}

}  // namespace torch_steps
