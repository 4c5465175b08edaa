// Llama, as others trained it: the program reads a folder of Hugging Face (config.json,
// model.safetensors or the index of several files, tokenizer.json of Llama 3) and continues a text.
//
//     example_17_llama Llama-3.2-1B --prompt "The tenon is" --tokens 40 --temperature 0.6 --top-p
//     0.9
//
// H. Touvron et al., "LLaMA", 2023; A. Grattafiori et al., "The Llama 3 herd of models", 2024.
// Without a folder it writes one with a small random model, and reads that.
//
// test-arguments: --tokens 16 --temperature 1 --top-k 20 --top-p 0.9

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <tenon/tenon.hpp>

#include "language_models/attention.hpp"
#include "language_models/checkpoint.hpp"
#include "language_models/program.hpp"
#include "language_models/random_model.hpp"
#include "language_models/rotary.hpp"

namespace llama {

using namespace language_models;

/// Rows of mean square 1, scaled. B. Zhang and R. Sennrich, 2019.
struct RmsNorm {
  Float32<"embed"> weight;
  Constant<float> epsilon{1e-5f};

  auto operator()(Float<"t embed"> auto const& x) const -> Float32<"t embed"> {
    return x * rsqrt(mean<"embed">(square(x), keep) + *epsilon) * weight;
  }
};

/// Self-attention with rotary positions; several heads of queries share one of keys and values.
/// (Matrices are "out in", as in the files.)
struct Attention {
  Float32<"queries embed"> query;
  Float32<"pairs embed"> key, value;
  Float32<"embed queries"> output;

  auto operator()(Float32<"t embed"> const& x, RotaryPositions<> const& rotation,
                  LayerCache& cache) const -> Float32<"t embed"> {
    auto const features = size<"feature">(cache.keys), pairs = size<"kv">(cache.keys);
    auto const heads = size<"queries">(query) / features;
    auto const q = reshape<"t head feature">(matmul(x, transpose(query)), heads, features);
    auto const k = reshape<"t kv feature">(matmul(x, transpose(key)), pairs, features);
    auto const v = reshape<"t kv feature">(matmul(x, transpose(value)), pairs, features);
    auto const mixed =
        attend(rotary_embedding<"t">(q, rotation), rotary_embedding<"t">(k, rotation), v, cache);
    return matmul(reshape<"t queries">(mixed), transpose(output));
  }
};

/// SwiGLU: a gate for every hidden unit. N. Shazeer, "GLU variants improve transformer", 2020.
struct FeedForward {
  Float32<"hidden embed"> gate, up;
  Float32<"embed hidden"> down;

  auto operator()(Float32<"t embed"> const& x) const -> Float32<"t embed"> {
    auto const opened = eval(silu(matmul(x, transpose(gate))));
    return matmul(opened * matmul(x, transpose(up)), transpose(down));
  }
};

/// Both parts add to the residual stream.
struct Block {
  RmsNorm attention_norm;
  Attention attention;
  RmsNorm feed_forward_norm;
  FeedForward feed_forward;

  auto operator()(Float32<"t embed"> const& x, RotaryPositions<> const& rotation,
                  LayerCache& cache) const -> Float32<"t embed"> {
    auto const y = eval(x + attention(attention_norm(x), rotation, cache));
    return y + feed_forward(feed_forward_norm(y));
  }
};

struct Llama {
  Embedding<"word", "embed"> words;
  std::vector<Block> blocks;
  RmsNorm norm;
  std::optional<Float32<"word embed">> head;  // small models have that of the words

  /// The states of new positions, after those in the cache.
  auto operator()(Int<"t"> auto const& tokens, Cache& cache) const -> Float32<"t embed"> {
    auto const rotation = rotary_positions(*frequencies, cache[0].length, size<"t">(tokens));
    Float32<"t embed"> x = words(tokens);
    for (std::size_t i = 0; i < blocks.size(); ++i) x = blocks[i](x, rotation, cache[i]);
    return norm(x);
  }

  /// The scores of the next token.
  auto scores(Float<"... embed"> auto const& x) const {
    return matmul(x, transpose(head ? *head : words.weight));
  }

  Cache new_cache(std::int64_t positions) const {
    auto const features = 2 * size<"half">(*frequencies);
    auto const pairs = size<"pairs">(blocks[0].attention.key) / features;
    auto const layers = static_cast<std::int64_t>(blocks.size());
    return language_models::new_cache(layers, positions, pairs, features);
  }

  Constant<Float32<"half">> frequencies;     // of the rotary positions
  Constant<std::vector<std::int32_t>> ends;  // tokens at which a text ends
};

// ---- The files ----------------------------------------------------------------------------------

Spelling const spelling{
    {"words", "embed_tokens"},
    {"blocks", "layers"},
    {"attention_norm", "input_layernorm"},
    {"feed_forward_norm", "post_attention_layernorm"},
    {"attention", "self_attn"},
    {"query", "q_proj.weight"},
    {"key", "k_proj.weight"},
    {"value", "v_proj.weight"},
    {"output", "o_proj.weight"},
    {"feed_forward", "mlp"},
    {"gate", "gate_proj.weight"},
    {"up", "up_proj.weight"},
    {"down", "down_proj.weight"},
};

std::string entry_of(std::string const& leaf) {
  return leaf == "head" ? "lm_head.weight" : "model." + spelled(leaf, spelling);
}

/// What Llama is: other settings need another model.
void check_settings(json::Value const& config) {
  check_word(config, "model_type", "llama");
  check_word(config, "hidden_act", "silu");
  check_setting(config, "attention_bias", false);
  check_setting(config, "mlp_bias", false);
}

/// The number of features of a head.
std::int64_t features_in(json::Value const& config) {
  auto const heads = size_in(config, "num_attention_heads");
  auto const pairs = size_in(config, "num_key_value_heads");
  if (heads % pairs != 0)
    config.at("num_key_value_heads").refuse("a divisor of num_attention_heads");
  bool const is_given = config.find("head_dim") != nullptr;
  auto const features =
      is_given ? size_in(config, "head_dim") : size_in(config, "hidden_size") / heads;
  if (features % 2 != 0)
    config.at(is_given ? "head_dim" : "num_attention_heads")
        .refuse("heads with an even number of features");
  return features;
}

void check_sizes(json::Value const& config, Llama const& model) {
  check_size(config, "num_hidden_layers", static_cast<std::int64_t>(model.blocks.size()));
  check_size(config, "vocab_size", size<"word">(model.words.weight));
  check_size(config, "hidden_size", size<"embed">(model.words.weight));
  auto const features = features_in(config);
  for (Block const& block : model.blocks) {
    auto const& attention = block.attention;
    check_multiple(config, "num_attention_heads", size<"queries">(attention.query), features);
    check_multiple(config, "num_key_value_heads", size<"pairs">(attention.key), features);
    check_size(config, "intermediate_size", size<"hidden">(block.feed_forward.gate));
  }
}

Llama load_llama(std::filesystem::path const& folder) {
  auto const config = load_json(folder / "config.json");
  check_settings(config);
  auto model = load<Llama>(checkpoint_in(folder), {.cast = true, .entry_name = entry_of});
  check_sizes(config, model);
  check_head(config, model.head.has_value());
  if (ties_words(config)) model.head.reset();
  model.frequencies = {rotary_frequencies(config, features_in(config))};
  model.ends = {ends_in(config)};
  auto const epsilon = static_cast<float>(config.at("rms_norm_eps").number());
  model.norm.epsilon = {epsilon};
  for (Block& block : model.blocks)
    block.attention_norm.epsilon = block.feed_forward_norm.epsilon = {epsilon};
  return model;
}

}  // namespace llama

int main(int count, char** arguments) {
  return language_models::run(count, arguments, llama::load_llama, [](auto const& folder) {
    language_models::write_random(folder, language_models::llama_config,
                                  language_models::llama_entries());
  });
}
