#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <version>

namespace tenon::internal::training {

/// The program's compiler, and the flags, as far as they are visible to the program.
struct CompilerState {
  std::string_view name{};
  long standard = __cplusplus;
  bool is_optimised = false;    // -O1 and above
  bool has_assertions = false;  // no -DNDEBUG
  bool has_sanitizer = false;
  std::string instructions{};  // of -march: those that matter to tensors
  std::string flags{};         // those that RunOptions contain
};

/// Names of instruction sets that the compiler may use in all of the program.
inline std::string compiled_instructions() {
  std::string names;
  [[maybe_unused]] auto const add = [&](char const* name) {
    names.append(names.empty() ? "" : " ").append(name);
  };
#if defined(__SSE4_2__)
  add("sse4.2");
#endif
#if defined(__AVX2__)
  add("avx2");
#endif
#if defined(__FMA__)
  add("fma");
#endif
#if defined(__AVX512F__)
  add("avx512f");
#endif
#if defined(__AVX512BF16__)
  add("avx512bf16");
#endif
#if defined(__ARM_NEON)
  add("neon");
#endif
#if defined(__ARM_FEATURE_SVE)
  add("sve");
#endif
  return names;
}

constexpr bool is_sanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#elif defined(__has_feature)
  return __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
  return false;
#endif
}

/// Flags as the compiler gets them: CMake's options keep words together by the prefix `SHELL:`.
inline std::string without_prefixes(std::string flags) {
  constexpr std::string_view prefix = "SHELL:";
  for (std::size_t at = 0; (at = flags.find(prefix, at)) != flags.npos;)
    if (at == 0 || flags[at - 1] == ' ') flags.erase(at, prefix.size());
    else ++at;
  return flags;
}

inline CompilerState compiler_state() {
  CompilerState state;
#if defined(__clang__)
  state.name = "clang " __clang_version__;
#else
  state.name = "g++ " __VERSION__;
#endif
#if defined(__OPTIMIZE__)
  state.is_optimised = true;
#endif
#if !defined(NDEBUG)
  state.has_assertions = true;
#endif
  state.has_sanitizer = is_sanitized();
  state.instructions = compiled_instructions();
  return state;
}

/// "libstdc++ 12", "glibc 2.36": as the program was compiled.
inline std::string standard_libraries() {
  std::string names;
#if defined(_LIBCPP_VERSION)
  names = "libc++ " + std::to_string(_LIBCPP_VERSION);
#elif defined(_GLIBCXX_RELEASE)
  names = "libstdc++ " + std::to_string(_GLIBCXX_RELEASE);
#endif
#if defined(__GLIBC__)
  names += ", glibc " + std::to_string(__GLIBC__) + "." + std::to_string(__GLIBC_MINOR__);
#endif
  return names;
}

}  // namespace tenon::internal::training
