#pragma once

// Folders with a small random model, in the format of Hugging Face.

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/io/safetensors.hpp>
#include <tenon/tenon.hpp>

namespace language_models {

using namespace tenon;

inline constexpr std::string_view gpt2_config = R"({
  "model_type": "gpt2", "activation_function": "gelu_new", "layer_norm_epsilon": 1e-05,
  "vocab_size": 256, "n_positions": 64, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_inner": null,
  "scale_attn_weights": true, "scale_attn_by_inverse_layer_idx": false,
  "tie_word_embeddings": true, "eos_token_id": 0
})";

inline constexpr std::string_view llama_config = R"({
  "model_type": "llama", "hidden_act": "silu", "rms_norm_eps": 1e-05, "attention_bias": false,
  "mlp_bias": false, "vocab_size": 256, "hidden_size": 32, "intermediate_size": 80,
  "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8,
  "rope_theta": 10000.0, "rope_scaling": {"rope_type": "llama3", "factor": 8.0,
  "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 16},
  "tie_word_embeddings": false, "eos_token_id": [0, 1]
})";

/// Weights of a checkpoint: random ones, of two axes if it has columns.
struct RandomEntry {
  std::string name;
  std::int64_t rows;
  std::int64_t columns = 0;
};

inline std::vector<RandomEntry> gpt2_entries() {
  std::vector<RandomEntry> entries{
      {"wte.weight", 256, 32}, {"wpe.weight", 64, 32}, {"ln_f.weight", 32}, {"ln_f.bias", 32}};
  for (std::string const block : {"h.0.", "h.1."}) {
    std::vector<RandomEntry> const parts{{"ln_1", 0, 32},         {"ln_2", 0, 32},
                                         {"attn.c_attn", 32, 96}, {"attn.c_proj", 32, 32},
                                         {"mlp.c_fc", 32, 128},   {"mlp.c_proj", 128, 32}};
    for (auto const& [name, in, out] : parts) {
      std::string const part = block + name;
      if (in > 0) entries.push_back({part + ".weight", in, out});
      else entries.push_back({part + ".weight", out});
      entries.push_back({part + ".bias", out});
    }
  }
  return entries;
}

inline std::vector<RandomEntry> llama_entries() {
  std::vector<RandomEntry> entries{{"model.embed_tokens.weight", 256, 32},
                                   {"lm_head.weight", 256, 32},
                                   {"model.norm.weight", 32}};
  for (std::string const block : {"model.layers.0.", "model.layers.1."}) {
    std::vector<RandomEntry> const parts{
        {"input_layernorm", 32},      {"post_attention_layernorm", 32},
        {"self_attn.q_proj", 32, 32}, {"self_attn.k_proj", 16, 32},
        {"self_attn.v_proj", 16, 32}, {"self_attn.o_proj", 32, 32},
        {"mlp.gate_proj", 80, 32},    {"mlp.up_proj", 80, 32},
        {"mlp.down_proj", 32, 80}};
    for (auto const& [name, rows, columns] : parts)
      entries.push_back({block + name + ".weight", rows, columns});
  }
  return entries;
}

/// A tokenizer whose tokens are the bytes: visible ones of Latin-1 are themselves in such files,
/// the others are the characters from U+0100 on.
inline std::string byte_tokenizer() {
  std::string vocabulary;
  char text[32];
  for (unsigned byte = 0, next = 0x100; byte < 256; ++byte) {
    bool const is_visible = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte != 0xad);
    std::snprintf(text, sizeof text, "\"\\u%04x\": %u, ", is_visible ? byte : next++, byte);
    vocabulary += text;
  }
  vocabulary.resize(vocabulary.size() - 2);
  return R"({"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
"decoder": {"type": "ByteLevel"}, "model": {"type": "BPE", "merges": [], "vocab": {)" +
         vocabulary + "}}}";
}

inline void write_random(std::filesystem::path const& folder, std::string_view config,
                         std::vector<RandomEntry> const& entries) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "config.json") << config;
  std::ofstream(folder / "tokenizer.json") << byte_tokenizer();
  safetensors::Writer writer;
  std::int64_t number = 0;
  for (auto const& [name, rows, columns] : entries) {
    Key const key = fold_in(Key{1}, number++);
    if (columns > 0) writer.add(name, normal<Float32<"_ _">>(key, 0, 0.2, rows, columns));
    else writer.add(name, normal<Float32<"_">>(key, 1, 0.1, rows));
  }
  writer.save(folder / "model.safetensors", {{"format", "pt"}});
}

}  // namespace language_models
