#pragma once

// Expressions as C: emitted, compiled by the C compiler, called, and compared with their values.

#include <dlfcn.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/backend/codegen/c.hpp>

#include "../io/folder.hpp"
#include "metal_text.hpp"

namespace source_cases {

using namespace tenon;
using namespace tenon::internal;

/// Equal within a relative error; 0 requires equality. NaN equals NaN, and zeros compare with their
/// sign.
template <class T>
bool agrees(T got, T expected, double tolerance) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(expected)) return std::isnan(got);
    if (std::isinf(expected) || tolerance == 0)
      return got == expected && std::signbit(got) == std::signbit(expected);
    double const size = std::abs(double(expected)) + 4 * double(std::numeric_limits<T>::min());
    return std::abs(double(got) - double(expected)) <= tolerance * size;
  } else {
    return got == expected;
  }
}

template <int rank>
inline constexpr auto rank_spec = Spec("_");
template <>
inline constexpr auto rank_spec<0> = Spec("");
template <>
inline constexpr auto rank_spec<2> = Spec("_ _");
template <>
inline constexpr auto rank_spec<3> = Spec("_ _ _");

/// Many expressions in one source.
class Cases {
 public:
  explicit Cases(tenon::codegen::Dialect const& dialect = tenon::dialect::C::text,
                 bool is_optimised = true)
      : dialect_(&dialect), printer_(dialect, false, is_optimised) {}

  /// Adds an expression and its expected value, computed element by element on `reference`.
  template <class E>
  void add(std::string claim, double tolerance, E const& expression) {
    if (!metal_text::is_spoken<E>(*dialect_)) return;
    plan(expression, printer_);
    expect(std::move(claim), tolerance, evaluate_by_element<Whole<E>>(expression));
  }

  std::vector<tenon::internal::codegen::Kernel> const& kernels() const {
    return printer_.kernels();
  }

  /// The kernels in their language.
  std::string kernels_text() const {
    std::string text = std::string(dialect_->prelude) + printer_.functions();
    for (tenon::internal::codegen::Kernel const& kernel : kernels()) text += kernel.text + "\n";
    return text;
  }

  /// The kernels in C, each with a function that takes all arguments by address.
  std::string text() const {
    std::string text = kernels_text();
    for (tenon::internal::codegen::Kernel const& kernel : kernels()) {
      std::string arguments = "a[0]";
      for (std::size_t i = 1; i <= kernel.memories.size(); ++i)
        arguments += ", a[" + std::to_string(i) + "]";
      for (std::size_t i = 0; i < kernel.numbers.size(); ++i)
        arguments += ", *(i64 const*)a[" + std::to_string(kernel.memories.size() + 1 + i) + "]";
      text += "void call_" + kernel.name + "(void* const* a) { " + kernel.name + "(" + arguments +
              "); }\n";
    }
    return text;
  }

  /// Runs all kernels in order and compares the results.
  void run(void* library) {
    run([&](tenon::internal::codegen::Kernel const& kernel, std::vector<void*> const& arguments) {
      void* const symbol = dlsym(library, ("call_" + kernel.name).c_str());
      REQUIRE(symbol != nullptr);
      reinterpret_cast<void (*)(void* const*)>(symbol)(arguments.data());
    });
  }
  /// The same, with kernels launched by `start(kernel, arguments)`: memory, and addresses of
  /// numbers.
  template <class Start>
  void run(Start const& start) {
    for (tenon::internal::codegen::Kernel const& kernel : kernels()) call(start, kernel);
    for (Check const& check : checks_) {
      INFO(check.claim);
      CHECK(check.mistake(results_[check.kernel].data()) == "");
    }
  }

 private:
  /// A tensor of any sizes: one type for all expressions of a dtype and a rank.
  template <class E>
  using Whole = Tensor<typename E::value_type, rank_spec<E::shape.rank>>;

  template <class T, Spec S>
  void expect(std::string claim, double tolerance, Tensor<T, S> const& expected) {
    std::vector<T> const values(expected.data(), expected.data() + expected.size());
    checks_.push_back({std::move(claim), printer_.kernels().size() - 1,
                       [=](void const* memory) { return mistake(memory, values, tolerance); }});
  }

  struct Check {
    std::string claim;
    std::size_t kernel;
    std::function<std::string(void const*)> mistake;
  };

  template <class T>
  static std::string mistake(void const* memory, std::vector<T> const& expected, double tolerance) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      T got;
      std::memcpy(&got, static_cast<std::byte const*>(memory) + i * sizeof(T), sizeof(T));
      if (!agrees(got, T(expected[i]), tolerance))
        return "at " + std::to_string(i) + ": got " + std::to_string(got) + ", expected " +
               std::to_string(T(expected[i]));
    }
    return {};
  }

  template <class Start>
  void call(Start const& start, tenon::internal::codegen::Kernel const& kernel) {
    results_.emplace_back(static_cast<std::size_t>(kernel.elements * kernel.element_bytes) + 1);
    std::vector<void*> arguments{results_.back().data()};
    for (tenon::internal::codegen::Memory const& memory : kernel.memories) {
      bool const is_earlier = memory.earlier >= 0;
      arguments.push_back(is_earlier ? results_[static_cast<std::size_t>(memory.earlier)].data()
                                     : const_cast<void*>(memory.data));
    }
    auto numbers = kernel.numbers;
    for (auto& number : numbers) arguments.push_back(&number.value);
    start(kernel, arguments);
  }

  tenon::codegen::Dialect const* dialect_;
  tenon::codegen::Printer printer_;
  std::vector<Check> checks_;
  std::vector<std::vector<std::byte>> results_;
};

/// The library that the C compiler builds from a text; null if there is no C compiler.
inline void* compiled(std::string const& text, Folder const& folder,
                      std::string const& optimisation = "-O2") {
  if (std::system("cc --version > /dev/null 2>&1") != 0) return nullptr;
  write_bytes(folder / "kernels.c", text);
  std::string const library = folder / "kernels.so", source = folder / "kernels.c";
  std::string const machine = tenon::internal::intrinsics::fma_rounds_once ? " -march=native" : "";
  std::string const command = "cc " + optimisation +
                              " -std=c11 -ffp-contract=off -Wall -Wno-unused-function" + machine +
                              " -shared -fPIC -o " + library + " " + source + " -lm";
  REQUIRE(std::system(command.c_str()) == 0);
  void* const opened = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  REQUIRE(opened != nullptr);
  return opened;
}

}  // namespace source_cases
