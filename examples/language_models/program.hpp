#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <tenon/io/safetensors.hpp>
#include <tenon/io/tokenizer.hpp>
#include <tenon/tenon.hpp>

#include "attention.hpp"
#include "options.hpp"
#include "sampling.hpp"

namespace language_models {

/// A decoder: states of new tokens from a cache, and scores of the next token from states.
template <class Model>
concept Decoder = requires(Model const& model, Int32<"t"> tokens, Cache cache) {
  { model.new_cache(std::int64_t{}) } -> std::same_as<Cache>;
  { model(tokens, cache) } -> std::same_as<Float32<"t embed">>;
  model.scores(Float32<"embed">());
};

/// Extends tokens one by one, until there are `count` new ones or `stops(token)`.
template <Decoder Model, class Stops>
std::vector<std::int32_t> generate(Model const& model, std::vector<std::int32_t> const& prompt,
                                   std::int64_t count, Sampling const& sampling, Key const& key,
                                   Stops&& stops) {
  Cache cache = model.new_cache(static_cast<std::int64_t>(prompt.size()) + count);
  Int32<"t"> next(prompt, static_cast<std::int64_t>(prompt.size()));
  std::vector<std::int32_t> added;
  for (std::int64_t step = 0; step < count; ++step) {
    auto const states = model(next, cache);
    Float32<"word"> const scores = model.scores(take<"t">(states, -1));
    added.push_back(next_token(fold_in(key, step), scores, sampling));
    if (stops(added.back())) break;
    next = Int32<"t">{added.back()};
  }
  return added;
}

/// The scores of the next token at every position of a text.
template <Decoder Model>
Float32<"t word"> scores_of(Model const& model, std::vector<std::int32_t> const& tokens) {
  auto const length = static_cast<std::int64_t>(tokens.size());
  Cache cache = model.new_cache(length);
  return model.scores(model(Int32<"t">(tokens, length), cache));
}

/// Throws if tokens one by one, from the cache, have other scores than all at once, or if the cache
/// is allocated anew.
template <Decoder Model>
void check_cache(Model const& model) {
  std::vector<std::int32_t> const tokens{84, 101, 110, 111, 110, 33, 10, 0, 255, 84};
  auto const at_once = scores_of(model, tokens);
  Cache cache = model.new_cache(static_cast<std::int64_t>(tokens.size()));
  auto const* const keys = std::as_const(cache[0].keys).data();
  for (std::int64_t i = 0; std::int32_t const token : tokens) {
    auto const one = eval(model.scores(model(Int32<"t">{token}, cache)));
    if (!allclose(take<"t">(one, 0), take<"t">(at_once, i++), {1e-4, 1e-4}))
      throw Error("the cache changes the scores");
  }
  if (std::as_const(cache[0].keys).data() != keys) throw Error("the cache moved");
}

template <Decoder Model>
void continue_text(Model const& model, Options const& options) {
  Tokenizer const tokenizer(std::filesystem::path(options.folder) / "tokenizer.json");
  auto const prompt = tokenizer.encode(options.prompt);
  if (prompt.empty()) refuse("--prompt", "a text with a token");
  std::fputs(options.prompt.c_str(), stdout);
  auto const shows = [&](std::int32_t token) {
    bool const ends = std::ranges::count(*model.ends, token) > 0;
    if (!ends) std::fputs(tokenizer.decode({&token, 1}).c_str(), stdout), std::fflush(stdout);
    return ends;
  };
  generate(model, prompt, options.tokens, options.sampling, Key{options.seed}, shows);
  std::puts("");
}

/// The tokens after given ones, as numbers; and how long they take, on the standard error.
template <Decoder Model>
void continue_ids(Model const& model, Options const& options) {
  auto const start = std::chrono::steady_clock::now();
  auto const never = [](std::int32_t) { return false; };
  auto const added =
      generate(model, options.ids, options.tokens, options.sampling, Key{options.seed}, never);
  std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start;
  for (std::int32_t const id : added) std::printf("%d\n", id);
  std::fprintf(stderr, "%.1f tokens a second\n",
               static_cast<double>(added.size()) / seconds.count());
}

/// `load(folder)` reads a model; `write_random(folder)` writes one, for a run without a folder.
template <class Load, class WriteRandom>
int run(int count, char** arguments, Load&& load, WriteRandom&& write_random) try {
  Options options = parse_options(count, arguments);
  bool const is_random = options.folder.empty();
  if (is_random) {
    options.folder = "random";
    write_random(options.folder);
  }
  Decoder auto const model = load(std::filesystem::path(options.folder));
  if (is_random) check_cache(model);
  if (!options.scores.empty()) save(options.scores, scores_of(model, options.ids));
  else if (options.prints_ids) continue_ids(model, options);
  else continue_text(model, options);
  return 0;
} catch (std::exception const& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

}  // namespace language_models
