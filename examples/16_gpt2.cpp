// GPT-2, as others trained it: the program reads a folder of Hugging Face (config.json,
// model.safetensors or the index of several files, tokenizer.json) and continues a text.
//
//     example_16_gpt2 gpt2 --prompt "The tenon is" --tokens 40 --temperature 0.8 --top-k 40
//
// A. Radford et al., "Language models are unsupervised multitask learners", 2019. Without a folder
// it writes one with a small random model, and reads that.
//
// test-arguments: --tokens 16 --temperature 1 --top-k 20 --top-p 0.9

#include <cstdint>
#include <filesystem>
#include <vector>

#include <tenon/tenon.hpp>

#include "language_models/attention.hpp"
#include "language_models/checkpoint.hpp"
#include "language_models/program.hpp"

namespace gpt2 {

using namespace language_models;

/// Rows of mean 0 and variance 1, scaled and shifted.
struct LayerNorm {
  Float32<"embed"> weight, bias;
  Constant<float> epsilon{1e-5f};

  auto operator()(Float<"t embed"> auto const& x) const -> Float32<"t embed"> {
    auto const centred = x - mean<"embed">(x, keep);
    return centred * rsqrt(mean<"embed">(square(centred), keep) + *epsilon) * weight + bias;
  }
};

/// Self-attention of several heads; one matrix projects to queries, keys and values.
struct Attention {
  Linear<"embed", "projected"> projection;
  Linear<"embed", "embed"> output;

  auto operator()(Float<"t embed"> auto const& x, LayerCache& cache) const -> Float32<"t embed"> {
    auto const heads = size<"kv">(cache.keys), features = size<"feature">(cache.keys);
    auto const qkv = reshape<"t part=3 head feature">(eval(projection(x)), heads, features);
    auto const mixed =
        attend(take<"part">(qkv, 0), take<"part">(qkv, 1), take<"part">(qkv, 2), cache);
    return output(reshape<"t embed">(mixed, size<"t">(x), size<"embed">(x)));
  }
};

struct FeedForward {
  Linear<"embed", "hidden"> hidden;
  Linear<"hidden", "embed"> output;

  auto operator()(Float<"t embed"> auto const& x) const { return output(gelu_tanh(hidden(x))); }
};

/// Both parts add to the residual stream.
struct Block {
  LayerNorm attention_norm;
  Attention attention;
  LayerNorm feed_forward_norm;
  FeedForward feed_forward;

  auto operator()(Float32<"t embed"> const& x, LayerCache& cache) const -> Float32<"t embed"> {
    auto const y = eval(x + attention(attention_norm(x), cache));
    return y + feed_forward(feed_forward_norm(y));
  }
};

struct Gpt2 {
  Embedding<"word", "embed"> words;
  Embedding<"place", "embed"> places;
  std::vector<Block> blocks;
  LayerNorm norm;

  /// The states of new positions, after those in the cache.
  auto operator()(Int<"t"> auto const& tokens, Cache& cache) const -> Float32<"t embed"> {
    auto const place = iota<Int32<"t">>(size<"t">(tokens)) + cache[0].length;
    auto x = eval(words(tokens) + places(place));
    for (std::size_t i = 0; i < blocks.size(); ++i) x = blocks[i](x, cache[i]);
    return norm(x);
  }

  /// The scores of the next token; the table of words serves twice.
  auto scores(Float<"... embed"> auto const& x) const {
    return matmul(x, transpose(words.weight));
  }
};

}  // namespace gpt2
