#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/io/json/value.hpp>
#include <tenon/io/tokenizer/data.hpp>

namespace tenon::internal {

inline constexpr std::int64_t largest_id = (std::numeric_limits<std::int32_t>::max)();

/// Reads a `tokenizer.json`. What would tokenize otherwise than `Tokenizer` does is refused.
class TokenizerReader {
 public:
  TokenizerReader(std::string_view text, std::string_view where)
      : where_(where), json_(text, where, "file"), parser_(json_, where) {}

  TokenizerData read();

 private:
  using Value = tenon::json::Value;
  using Merges = std::vector<std::pair<std::string, std::string>>;

  void read_part(std::string const& name);
  void read_model();
  void read_model_part(std::string const& name);
  void read_vocabulary();
  void read_merge();

  void check_parts() const;
  void check_model();
  void add_merges();
  void add_merge(std::size_t rank);
  void find_bytes();
  void add_tokens();
  void add_token(Value const& value);
  void add_words(Value const& value, bool is_alone);
  void add_split(Value const& value);
  void add_byte_level(Value const& value);
  void add_template(Value const& value);
  void add_template_piece(Value const& piece, Value const& tokens, bool& is_after);

  /// A part of the file; null where there is none.
  Value const* part(std::string const& name) const;
  Value const& required(std::string const& name) const;

  [[noreturn]] void refuse(std::string const& what, std::string const& expected,
                           std::string const& got) const;

  TokenizerData to_{};
  std::string where_;
  json::Reader json_;
  json::Parser parser_;
  std::set<std::string> seen_{};
  std::map<std::string, Value> parts_{};
  Merges merges_{};
  bool has_words_ = false, has_byte_level_ = false, has_template_ = false;
};

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/io/tokenizer/reader.ipp>
#include <tenon/io/tokenizer/reader.model.ipp>
#endif
