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
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/tenon.hpp>

#include "language_models/attention.hpp"
#include "language_models/checkpoint.hpp"
#include "language_models/program.hpp"
#include "language_models/random_model.hpp"

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
    auto const key = rename<"head -> kv">(take<"part">(qkv, 1));  // each head has its own
    auto const value = rename<"head -> kv">(take<"part">(qkv, 2));
    auto const mixed = attend(take<"part">(qkv, 0), key, value, cache);
    return output(reshape<"t embed">(mixed));
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
  auto scores(Float<"... embed"> auto const& x) const { return matmul(x, transpose(words.weight)); }

  Cache new_cache(std::int64_t positions) const {
    check_length(positions, size<"place">(places.weight));
    auto const layers = static_cast<std::int64_t>(blocks.size());
    auto const features = size<"embed">(norm.weight) / *heads;
    return language_models::new_cache(layers, positions, *heads, features);
  }

  Constant<std::int64_t> heads{1};
  Constant<std::vector<std::int32_t>> ends;  // tokens at which a text ends
};

// ---- The files ----------------------------------------------------------------------------------

inline Spelling const spelling{
    {"words", "wte"},      {"places", "wpe"},          {"blocks", "h"},
    {"norm", "ln_f"},      {"attention_norm", "ln_1"}, {"feed_forward_norm", "ln_2"},
    {"attention", "attn"}, {"feed_forward", "mlp"},    {"projection", "c_attn"},
    {"hidden", "c_fc"},    {"output", "c_proj"},
};

/// What GPT-2 is: other settings need another model.
void check_settings(json::Value const& config) {
  check_word(config, "model_type", "gpt2");
  check_word(config, "activation_function", "gelu_new");
  check_setting(config, "scale_attn_weights", true);
  check_setting(config, "scale_attn_by_inverse_layer_idx", false);
  check_setting(config, "tie_word_embeddings", true);
  check_setting(config, "add_cross_attention", false);
}

void check_sizes(json::Value const& config, Gpt2 const& model) {
  check_size(config, "vocab_size", size<"word">(model.words.weight));
  check_size(config, "n_positions", size<"place">(model.places.weight));
  check_size(config, "n_embd", size<"embed">(model.words.weight));
  check_size(config, "n_layer", static_cast<std::int64_t>(model.blocks.size()));
  for (Block const& block : model.blocks)
    if (config.find("n_inner") != nullptr)
      check_size(config, "n_inner", size<"hidden">(block.feed_forward.hidden.bias));
  if (size_in(config, "n_embd") % size_in(config, "n_head") != 0)
    config.at("n_head").refuse("a divisor of n_embd");
}

Gpt2 load_gpt2(std::filesystem::path const& folder) {
  auto const config = load_json(folder / "config.json");
  check_settings(config);
  auto const path = checkpoint_in(folder);
  std::string const prefix = safetensors::File(path).contains("wte.weight") ? "" : "transformer.";
  // Old files have the masks of attention as well: `h.0.attn.bias`.
  auto model = load<Gpt2>(path, {.ignore_extra = true, .cast = true, .entry_name = [&](auto& leaf) {
                                   return prefix + spelled(leaf, spelling);
                                 }});
  check_sizes(config, model);
  model.heads = {size_in(config, "n_head")};
  model.ends = {ends_in(config)};
  auto const epsilon = static_cast<float>(config.at("layer_norm_epsilon").number());
  model.norm.epsilon = {epsilon};
  for (Block& block : model.blocks)
    block.attention_norm.epsilon = block.feed_forward_norm.epsilon = {epsilon};
  return model;
}

}  // namespace gpt2

int main(int count, char** arguments) {
  return language_models::run(count, arguments, gpt2::load_gpt2, [](auto const& folder) {
    language_models::write_random(folder, language_models::gpt2_config,
                                  language_models::gpt2_entries());
  });
}
