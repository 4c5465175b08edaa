#pragma once

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>

namespace tenon::internal {

[[gnu::cold, gnu::noinline]] TENON_RUNTIME std::string escaped(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto const byte = static_cast<unsigned char>(text[i]);
    auto const next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    bool const begins_c1 = byte == 0xc2 && next >= 0x80 && next < 0xa0;
    bool const ends_c1 = i > 0 && text[i - 1] == '\xc2' && byte >= 0x80 && byte < 0xa0;
    if (byte >= 0x20 && byte != 0x7f && !begins_c1 && !ends_c1) result += text[i];
    else result.append("\\x").append({digits[byte >> 4], digits[byte & 15u]});
  }
  return result;
}

[[gnu::cold, gnu::noinline]] TENON_RUNTIME std::string message(ErrorReport const& report) {
  std::string all;
  auto const add = [&](std::string_view before, std::string_view text, std::string_view after) {
    if (!text.empty()) all.append(before).append(text).append(after);
  };
  add("tenon::", report.who, ": ");
  add("'", escaped(report.what), "': ");
  add("expected ", report.expected, report.got.empty() ? "" : ", ");
  add("got ", report.got, "");
  add(" (", escaped(report.where), ")");
  return all;
}

}  // namespace tenon::internal
