#pragma once

#include <tenon/core/config.hpp>
#include <tenon/io/utf8.hpp>

namespace tenon::internal {

TENON_RUNTIME void append_utf8(std::string& text, std::uint32_t code) {
  auto const push = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  auto const follow = [&](int shift) { push(0x80u | (code >> shift & 0x3fu)); };
  if (code < 0x80) {
    push(code);
  } else if (code < 0x800) {
    push(0xc0u | code >> 6), follow(0);
  } else if (code < 0x10000) {
    push(0xe0u | code >> 12), follow(6), follow(0);
  } else {
    push(0xf0u | code >> 18), follow(12), follow(6), follow(0);
  }
}

}  // namespace tenon::internal
