#pragma once

// The bytes of a file as a language of 256 tokens.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <tenon/tenon.hpp>
#include <tenon/train/data/text_file.hpp>

#include "lesson.hpp"
#include "refusal.hpp"

namespace gpt {

/// A training text, and its end, which is held out for the exam.
struct Text {
  tenon::training::TextFile file;
  std::string_view seen;
  std::string_view unseen;  // a tenth, or empty if the text is too short
};

/// Throws `std::runtime_error`.
inline void write_file(std::filesystem::path const& path, std::string const& text) {
  std::ofstream file(path, std::ios::binary);
  if (!(file << text).flush()) throw std::runtime_error("cannot write '" + path.string() + "'");
}

/// Training uses pieces of `length` bytes, each with the byte after it. Throws `Refusal`, and
/// `FileError`.
inline Text read_text(std::string const& path, std::int64_t length) {
  tenon::training::TextFile const file(path);
  std::string_view const text = file.text();
  auto const least = static_cast<std::size_t>(length) + 1;
  if (text.size() < least) {
    refuse("--text", "at least " + std::to_string(least) + " bytes, got " +
                         std::to_string(text.size()) + " in '" + path + "'");
  }
  std::size_t const kept = text.size() / 10 < least ? 0 : text.size() / 10;
  std::size_t const seen = text.size() - kept;
  return {file, text.substr(0, seen), text.substr(seen)};
}

/// A hash of the text: FNV-1a (Fowler, Noll and Vo) of 64 bits.
inline std::uint64_t fingerprint(Text const& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::string_view const part : {text.seen, text.unseen}) {
    for (char const c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return hash;
}

/// Each byte is a token.
inline void write_bytes(std::string_view text, std::int32_t* tokens) {
  std::ranges::transform(text, tokens, [](char c) { return static_cast<unsigned char>(c); });
}

inline Int32<"batch t"> tokens_of(std::string_view text) {
  auto tokens = zeros<Int32<"batch t">>(1, text.size());
  tokens.set_elements([&](std::int32_t* to) { write_bytes(text, to); });
  return tokens;
}

/// Pieces of a text, drawn at random; the target is the byte after each of their bytes.
inline Lesson<> draw_pieces(Key const& key, std::string_view text, std::int64_t batch,
                            std::int64_t length) {
  auto const piece = static_cast<std::size_t>(length);
  auto const drawn = uniform<Int64<"batch">>(key, 0, text.size() - piece, batch);
  Lesson<> lesson{zeros<Int32<"batch t">>(batch, length),
                  zeros<Int32<"batch asked">>(batch, length)};
  auto const write = [&](std::size_t shift) {
    return [=](std::int32_t* to) {
      for (std::int64_t i = 0; i < batch; ++i)
        write_bytes(text.substr(static_cast<std::size_t>(drawn(i)) + shift, piece),
                    to + i * length);
    };
  };
  lesson.text.set_elements(write(0));
  lesson.answer.set_elements(write(1));
  return lesson;
}

/// A text that is safe for a terminal: control characters become question marks.
inline std::string printable(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return (c < 32 && c != '\n' && c != '\t') || c == 127; }, '?');
  return text;
}

}  // namespace gpt
