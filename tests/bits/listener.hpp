#pragma once

// Writes the hashes of a program: its build in the first line, then a line for each.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iomanip>

#include "hash.hpp"

namespace bits {

/// On which the bits depend, docs/numerics.md.
inline constexpr char const* instruction_set =
#if defined(__AMX_BF16__)
    "avx512_amx";
#elif defined(__AVX512BF16__)
    "avx512_bf16";
#elif defined(__AVX512DQ__)
    "avx512_dq";
#elif defined(__AVX512F__)
    "avx512";
#elif defined(__AVX2__) && defined(__FMA__)
    "avx2_fma";
#elif defined(__AVX__)
    "avx";
#elif defined(__SSE4_1__)
    "sse4";
#elif defined(__SSE2__)
    "sse2";
#elif defined(__aarch64__)
    "aarch64";
#else
    "other";
#endif

/// Lanes of xsimd may round otherwise than those of intrinsics.
inline constexpr char const* lanes =
#if defined(TENON_SIMD)
    "_xsimd";
#else
    "";
#endif

/// clang fuses a product and a sum of one expression, g++ from -O2 on, then also those of two
/// statements.
inline constexpr char const* compiler =
#if defined(__clang__)
    "clang";
#elif defined(__OPTIMIZE__)
    "gcc_optimised";
#else
        "gcc";
#endif

/// Knows the running test case.
class Listener : public doctest::IReporter {
 public:
  explicit Listener(doctest::ContextOptions const& options)
      : program_(std::filesystem::path(options.binary_name.c_str()).filename().string()) {}

  void test_case_start(doctest::TestCaseData const& data) override {
    records().test_case = data.m_name;
  }
  void test_run_end(doctest::TestRunStats const&) override {
    if (file() == nullptr) return;
    std::ofstream out(file());
    out << "# " << instruction_set << lanes << " " << compiler << "\n"
        << std::hex << std::setfill('0');
    for (auto const& [key, hash] : records().of) {
      out << std::setw(16) << hash.value() << " " << program_ << ": " << key.first;
      out << (key.second.empty() ? "" : ": ") << key.second << "\n";
    }
  }

  void report_query(doctest::QueryData const&) override {}
  void test_run_start() override {}
  void test_case_reenter(doctest::TestCaseData const&) override {}
  void test_case_end(doctest::CurrentTestCaseStats const&) override {}
  void test_case_exception(doctest::TestCaseException const&) override {}
  void subcase_start(doctest::SubcaseSignature const&) override {}
  void subcase_end() override {}
  void log_assert(doctest::AssertData const&) override {}
  void log_message(doctest::MessageData const&) override {}
  void test_case_skipped(doctest::TestCaseData const&) override {}

 private:
  std::string program_;
};

}  // namespace bits

REGISTER_LISTENER("bits", 1, bits::Listener);
