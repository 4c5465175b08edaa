#pragma once

// The evaluation of a model: answers to sums, the loss on an unknown text, a generated text.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/tenon.hpp>

#include "addition.hpp"
#include "lesson.hpp"
#include "text.hpp"

namespace gpt {

/// The most likely next token of each text.
template <template <class> class Model, class D>
Int32<"batch asked"> next_words(Model<D> const& model, Int32<"batch t"> const& texts) {
  return to<Cpu>(argmax<"word">(last(model(to<D>(texts)), 1)));
}

/// The answers of the model: from "12+34=" it predicts a token, appends it, and predicts the next.
template <class Model>
std::vector<std::string> answers_of(Model const& model, std::vector<Sum> const& sums) {
  std::vector<std::string> texts;
  for (Sum const& sum : sums) texts.push_back(question(sum));
  for (int i = 0; i < answer_length; ++i) {
    auto const next = next_words(model, tokens_of(texts));  // of 6 tokens, then of 7, then of 8
    for (std::size_t k = 0; k < texts.size(); ++k)
      texts[k] += vocabulary[static_cast<std::size_t>(next(k, 0))];
  }
  for (std::string& text : texts) text.erase(0, question_length);
  return texts;
}

/// Evaluates every sum; prints every hundredth answer, some wrong ones, and the number of correct
/// ones.
template <class Model>
void examine(Model const& model, std::vector<Sum> const& sums) {
  std::printf("exam: %zu sums outside of the training data\n", sums.size());
  auto const answers = answers_of(model, sums);
  std::size_t right = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    bool const is_right = answers[i] == answer(sums[i]);
    right += is_right ? 1 : 0;
    bool const is_shown = i % 100 == 0 || (!is_right && i - right < 10);
    if (!is_shown) continue;
    std::printf("  %s%s  %s\n", question(sums[i]).c_str(), answers[i].c_str(),
                is_right ? "right" : ("wrong: " + answer(sums[i])).c_str());
  }
  double const percent = 100.0 * static_cast<double>(right) / static_cast<double>(sums.size());
  std::printf("%zu of %zu right: %.2f %%\n", right, sums.size(), percent);
}

/// A token drawn with the probabilities softmax(scores / temperature); the most likely one at
/// temperature 0.
inline std::size_t draw_word(std::span<float const> scores, Key const& key, double temperature) {
  auto const likeliest = std::ranges::max_element(scores);
  if (temperature == 0) return static_cast<std::size_t>(likeliest - scores.begin());
  std::vector<double> shares;  // of this token and all before it
  for (double total = 0; float const score : scores)
    shares.push_back(total += std::exp(static_cast<double>(score - *likeliest) / temperature));
  auto const drawn = uniform<Int64<"batch">>(key, 0, std::int64_t{1} << 31, 1)(0);
  auto const point = shares.back() * 0x1p-31 * static_cast<double>(drawn);
  return static_cast<std::size_t>(std::ranges::upper_bound(shares, point) - shares.begin());
}

/// The next byte of a text.
template <template <class> class Model, class D>
char next_byte(Model<D> const& model, std::string_view text, Key const& key, double temperature) {
  auto const scores = to<Cpu>(last(model(to<D>(tokens_of(text))), 1));  // "1 1 word=256"
  std::span const words(scores.data(), static_cast<std::size_t>(scores.size()));
  return static_cast<char>(draw_word(words, key, temperature));
}

/// That many bytes generated after a prompt. The model attends to the last `length`.
template <class Model>
std::string continuation(Model const& model, std::string const& prompt, std::int64_t count,
                         std::int64_t length, double temperature) {
  std::string text = prompt;
  auto const seen = static_cast<std::size_t>(length);
  for (std::int64_t i = 0; i < count; ++i) {
    std::string_view const end =
        std::string_view(text).substr(text.size() - std::min(text.size(), seen));
    text += next_byte(model, end, fold_in(Key{0}, i), temperature);
  }
  return text.substr(prompt.size());
}

}  // namespace gpt
