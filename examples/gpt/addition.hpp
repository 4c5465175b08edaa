#pragma once

// Two-digit sums as a language of twelve tokens, "12+34=046": the data of the GPT.

#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/tenon.hpp>

#include "lesson.hpp"

namespace gpt {

using namespace tenon;

inline constexpr std::string_view vocabulary =
    "0123456789+=";                        // a token is a position in this text
inline constexpr int question_length = 6;  // "12+34="
inline constexpr int answer_length = 3;    // "046"

struct Sum {
  int left;
  int right;
};

inline std::string question(Sum sum) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%02d+%02d=", sum.left, sum.right);
  return text.data();
}

inline std::string answer(Sum sum) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%03d", sum.left + sum.right);
  return text.data();
}

/// Texts of one length as tokens.
inline Int32<"batch t"> tokens_of(std::vector<std::string> const& texts) {
  auto tokens = zeros<Int32<"batch t">>(texts.size(), texts.empty() ? 0 : texts[0].size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t t = 0; t < texts[i].size(); ++t) {
      tokens(i, t) = static_cast<std::int32_t>(vocabulary.find(texts[i][t]));
    }
  }
  return tokens;
}

/// The sums for training, and those for the exam.
struct Sums {
  std::vector<Sum> seen;
  std::vector<Sum> unseen;
};

/// Splits all 10,000 sums, always in the same way. 12+34 and 34+12 are on the same side, as either
/// one reveals the other. At least `exam` sums are not used for training.
inline Sums split_sums(std::size_t exam) {
  Sums sums;
  auto const order = permutation<Int32<"pair">>(Key{0}, 100 * 100);
  for (int i = 0; i < 100 * 100; ++i) {
    int const left = order(i) / 100, right = order(i) % 100;
    if (left > right) continue;
    auto& side = sums.unseen.size() < exam ? sums.unseen : sums.seen;
    side.push_back({left, right});
    if (left != right) side.push_back({right, left});
  }
  return sums;
}

/// Some sums with their answers, drawn at random: the input of the model is "12+34=04", and the
/// targets are "046", one token after each of its last three.
inline Lesson<> draw_sums(Key const& key, std::vector<Sum> const& sums, std::int64_t batch) {
  auto const drawn = uniform<Int64<"batch">>(key, 0, sums.size(), batch);
  std::vector<std::string> texts, answers;
  for (std::int64_t i = 0; i < batch; ++i) {
    Sum const sum = sums[static_cast<std::size_t>(drawn(i))];
    answers.push_back(answer(sum));
    texts.push_back(question(sum) + answers.back().substr(0, answer_length - 1));
  }
  return {tokens_of(texts), rename<"t -> asked">(tokens_of(answers))};
}

}  // namespace gpt
