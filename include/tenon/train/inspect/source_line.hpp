#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include <tenon/train/run/command.hpp>

#if defined(__ELF__) && defined(__GLIBC__)
#include <execinfo.h>
#include <link.h>
#include <sys/auxv.h>

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

/// Whether a file is of a standard library.
inline bool is_of_system(std::string_view file) {
  return file.starts_with("/usr/include/") || file.starts_with("/usr/lib/") ||
         file.find("/include/c++/") != file.npos;
}

/// Whether a line of addr2line is in the user's code: neither in Tenon, nor in a standard library,
/// nor unknown.
inline bool is_users(std::string_view line) {
  return !line.starts_with("?") && !line.ends_with(":?") && !line.ends_with(":0") &&
         !is_of_system(line) && line.find(own_sources()) == line.npos;
}

/// The first of some lines that is in the user's code: "main.cpp:12"; empty if none is.
inline std::string first_of_user(std::string_view lines) {
  while (!lines.empty()) {
    std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix((std::min)(lines.size(), line.size() + 1));
    line = line.substr(0, line.find(" (discriminator"));
    if (is_users(line)) return std::string(line);
  }
  return "";
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

/// A file as an argument of a command: the program itself (however it was started), or the library
/// `module`.
inline std::string file_of(Dl_info const& module) {
  Dl_info program{};
  auto const entry = getauxval(AT_ENTRY);
  dladdr(reinterpret_cast<void const*>(entry), &program);  // NOLINT(performance-no-int-to-ptr)
  bool const is_program = program.dli_fbase == module.dli_fbase;
  return is_program ? "/proc/$PPID/exe" : shell_word(module.dli_fname);
}

/// The innermost line of the user's code on the stack of this thread, "main.cpp:12": by addr2line
/// of binutils, for a program with debug information (-g). Empty where it is not known, and on
/// systems other than Linux with glibc.
inline std::string source_line() {
  std::array<void*, 128> frames{};
  auto const count = static_cast<std::size_t>(backtrace(frames.data(), int{frames.size()}));
  Dl_info own{};
  if (count == 0 || dladdr(frames[0], &own) == 0) return "";
  std::string command = "addr2line -i -e " + file_of(own);
  for (std::size_t i = 0; i < count; ++i) {
    auto const address = reinterpret_cast<std::uintptr_t>(frames[i]) - 1;  // in the call
    Dl_info module{};
    if (dladdr(frames[i], &module) != 0 && module.dli_fbase == own.dli_fbase)
      command += debug_address(address, module);
  }
  return first_of_user(output_of(command).value_or(""));
}

#else

inline std::string source_line() { return ""; }

#endif

}  // namespace tenon::internal::training
