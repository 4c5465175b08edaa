#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include <tenon/train/run/git_state.hpp>

#if defined(__ELF__) && defined(__GLIBC__)
#include <execinfo.h>
#include <link.h>

#include <dlfcn.h>
#endif

/// The line of the user's source in which this thread is.
namespace tenon::internal::training {

/// The folder of Tenon's headers, or its single header.
constexpr std::string_view own_sources() {
  std::string_view const file = __FILE__;
  constexpr std::string_view header = "train/inspect/source_line.hpp";
  return file.substr(0, file.size() - (file.ends_with(header) ? header.size() : 0));
}

/// Whether a line of addr2line is in the user's code: neither in Tenon, nor of the system, nor
/// unknown.
inline bool is_users(std::string_view line) {
  return !line.starts_with("?") && !line.starts_with("/usr/") && !line.ends_with(":?") &&
         !line.ends_with(":0") && line.find(own_sources()) == line.npos;
}

/// The first of some lines that is in the user's code: "main.cpp:12"; empty if none is.
inline std::string first_of_user(std::string_view lines) {
  while (!lines.empty()) {
    std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    line = line.substr(0, line.find(" ("));  // "main.cpp:12 (discriminator 3)"
    if (is_users(line)) return std::string(line);
  }
  return "";
}

/// A word of a command of the shell.
inline std::string shell_word(std::string_view text) {
  std::string word = "'";
  for (char const c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

#if defined(__ELF__) && defined(__GLIBC__)

/// An address in a program or a shared library, as its debug information has it.
inline std::string debug_address(std::uintptr_t address, Dl_info const& module) {
  auto const base = reinterpret_cast<std::uintptr_t>(module.dli_fbase);
  bool const is_fixed = static_cast<ElfW(Ehdr) const*>(module.dli_fbase)->e_type == ET_EXEC;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), " 0x%zx", address - (is_fixed ? 0 : base));
  return text.data();
}

/// The innermost line of the user's code on the stack of this thread, "main.cpp:12": by addr2line
/// of binutils, for a program with debug information (-g). Empty where it is not known, and on
/// systems other than Linux with glibc.
inline std::string source_line() {
  std::array<void*, 128> frames{};
  auto const count = static_cast<std::size_t>(backtrace(frames.data(), int{frames.size()}));
  Dl_info own{};
  if (count == 0 || dladdr(frames[0], &own) == 0) return "";
  std::string_view const name = own.dli_fname;
  std::string command = "addr2line -i -e ";
  command += shell_word(name.find('/') == name.npos ? "/proc/self/exe" : name);
  for (std::size_t i = 0; i < count; ++i) {
    auto const address = reinterpret_cast<std::uintptr_t>(frames[i]) - 1;  // in the call
    Dl_info module{};
    if (dladdr(frames[i], &module) != 0 && module.dli_fbase == own.dli_fbase)
      command += debug_address(address, module);
  }
  return first_of_user(output_of(command.c_str()).value_or(""));
}

#else

inline std::string source_line() { return ""; }

#endif

}  // namespace tenon::internal::training
