#pragma once

// Gradients as C: backward kernels are emitted, compiled, called, and compared with `reference`.
// Rows are distributed in two orders, which reveals elements that two rows add to.

#include <tenon/backend/codegen/print/gradient_source.hpp>

#include "source_cases.hpp"

namespace source_cases {

using namespace tenon::internal;

/// The same elements on `Reference`.
template <class T, Spec S>
Tensor<T, S, Reference> on_reference(Tensor<T, S> const& x) {
  auto result = Tensor<T, S, Reference>::uninitialised(x.sizes());
  std::copy_n(x.data(), x.size(), result.mutable_data());
  return result;
}

/// C, with rows from the last to the first.
inline constexpr tenon::codegen::Dialect reversed_c = [] {
  tenon::codegen::Dialect text = tenon::dialect::C::text;
  text.rows = "for (i64 row = $0; row-- > 0;)";
  return text;
}();

/// Memory for one adjoint, initially zero, and for its partial sums.
struct GradientMemory {
  tenon::internal::codegen::LeafAdjoint of;
  std::vector<std::byte> sum, parts;
};

/// The adjoints of one expression.
struct GradientCase {
  std::string claim;
  int result = 0;  ///< The kernel that computes it.
  std::vector<std::byte> adjoint;
  std::function<std::string(GradientCase&)> mistake;
  std::vector<GradientMemory> memory{};

  GradientMemory& of(tenon::internal::codegen::LeafAdjoint const& leaf) {
    for (GradientMemory& known : memory)
      if (known.of.is_of(leaf.leaf, leaf.mark)) return known;
    auto const bytes = static_cast<std::size_t>(leaf.elements * leaf.element_bytes);
    memory.push_back({leaf, std::vector<std::byte>(bytes + 1), {}});
    return memory.back();
  }
  GradientMemory* of_kernel(int number) {
    for (GradientMemory& known : memory)
      if (known.of.leaf.earlier == number) return &known;
    return nullptr;
  }
  GradientMemory* of_memory(LeafMemory const& leaf) {
    for (GradientMemory& known : memory)
      if (known.of.is_of(leaf, {})) return &known;
    return nullptr;
  }
};

/// Many expressions in one source.
class GradientCases {
 public:
  explicit GradientCases(tenon::codegen::Dialect const& dialect)
      : dialect_(&dialect), printer_(dialect) {}

  /// Adds an expression of leaves and the adjoints of the leaves. The error is relative to the
  /// largest element.
  template <class F, class... L>
  void add(std::string claim, double tolerance, F const& f, L const&... leaves) {
    auto const expression = f(leaves...);
    if (!metal_text::is_spoken<std::remove_const_t<decltype(expression)>>(*dialect_)) return;
    plan(expression, printer_);
    auto const whole = [&](auto const& all) {
      return std::apply([&](auto const&... x) { return eval(f(x...)); }, all);
    };
    auto [value, backward] = vjp(whole, std::tuple(on_reference(leaves)...));
    auto adjoint = value;
    auto* const to = adjoint.mutable_data();
    for (std::int64_t i = 0; i < adjoint.size(); ++i)
      to[i] = static_cast<typename decltype(value)::value_type>(double(i * 29 % 17) * 0.125 - 0.75);
    auto const* const bytes = reinterpret_cast<std::byte const*>(adjoint.data());
    std::size_t const size = sizeof(*to) * static_cast<std::size_t>(adjoint.size());
    auto const expected = backward(adjoint);
    auto const mistake = [=](GradientCase& got) {
      std::string all;
      std::apply(
          [&](auto const&... x) {
            std::apply([&](auto const&... g) { ((all += compared(got, x, g, tolerance)), ...); },
                       expected);
          },
          std::tuple(leaves...));
      return all;
    };
    cases_.push_back({std::move(claim), static_cast<int>(printer_.forward().size()) - 1,
                      std::vector<std::byte>(bytes, bytes + size), mistake});
  }

  /// All kernels in their language.
  std::string kernels_text() const {
    std::string text = std::string(dialect_->prelude) + printer_.functions();
    for (tenon::internal::codegen::Kernel const& kernel : printer_.kernels()) text += kernel.text;
    return text;
  }

  /// All kernels in C, each with a function that takes its arguments by address.
  std::string text() const {
    std::string text(tenon::dialect::C::text.prelude);
    text += printer_.functions();
    for (tenon::internal::codegen::Kernel const& kernel : printer_.kernels()) {
      text += kernel.text + "void call_" + kernel.name + "(void* const* a) { " + kernel.name + "(";
      for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
        bool const is_number =
            kernel.arguments[i].is == tenon::internal::codegen::Argument::Is::number;
        text += (i > 0 ? ", " : "") + std::string(is_number ? "*(i64 const*)a[" : "a[") +
                std::to_string(i) + "]";
      }
      text += "); }\n";
    }
    return text;
  }

  /// Runs all kernels in order and compares the adjoints.
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
    for (tenon::internal::codegen::Kernel const& kernel : printer_.kernels()) call(start, kernel);
    for (GradientCase& one : cases_) {
      INFO(one.claim);
      CHECK(one.mistake(one) == "");
    }
  }

  /// True if all adjoints are the same bit by bit.
  bool operator==(GradientCases const& other) const {
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      for (std::size_t j = 0; j < cases_[i].memory.size(); ++j)
        if (cases_[i].memory[j].sum != other.cases_[i].memory[j].sum) return false;
    }
    return true;
  }

 private:
  template <class X, class G>
  static std::string compared(GradientCase& got, X const& leaf, G const& expected,
                              double tolerance) {
    using T = typename X::value_type;
    if constexpr (std::is_floating_point_v<T>) {
      GradientMemory const* const memory = got.of_memory(memory_of_leaf(leaf));
      double largest = 0;
      for (std::int64_t i = 0; i < expected.size(); ++i)
        if (std::isfinite(expected.data()[i]))
          largest = std::max(largest, std::abs(double(expected.data()[i])));
      for (std::int64_t i = 0; i < expected.size(); ++i) {
        T one = 0;
        T const right = expected.data()[i];
        if (memory != nullptr)
          std::memcpy(&one, memory->sum.data() + static_cast<std::size_t>(i) * sizeof(T),
                      sizeof(T));
        bool const is_equal = one == right || (std::isnan(one) && std::isnan(right));
        if (!is_equal && !(std::abs(double(one) - double(right)) <= tolerance * largest))
          return std::string(spec_of<X>.view()) + " at " + std::to_string(i) + ": got " +
                 std::to_string(one) + ", expected " + std::to_string(right) + "; ";
      }
    }
    return {};
  }

  GradientCase& case_of(int kernel) {
    for (GradientCase& one : cases_)
      if (kernel <= one.result) return one;
    return cases_.back();
  }

  /// The adjoint that a kernel propagates.
  void* adjoint_of(tenon::internal::codegen::Kernel const& kernel, std::vector<std::byte>& none) {
    GradientCase& one = case_of(kernel.with_backward);
    if (kernel.with_backward == one.result) return one.adjoint.data();
    if (GradientMemory* const known = one.of_kernel(kernel.with_backward)) return known->sum.data();
    none.assign(static_cast<std::size_t>(kernel.elements * kernel.element_bytes) + 1, {});
    return none.data();
  }

  void* address(tenon::internal::codegen::Kernel& kernel,
                tenon::internal::codegen::Argument argument, std::vector<std::byte>& none) {
    using Is = tenon::internal::codegen::Argument::Is;
    if (argument.is == Is::result) return results_.back().data();
    if (argument.is == Is::adjoint) return adjoint_of(kernel, none);
    if (argument.is == Is::number) return &kernel.numbers[argument.at].value;
    if (argument.is == Is::memory) {
      tenon::internal::codegen::Memory const& memory = kernel.memories[argument.at];
      if (memory.earlier < 0) return const_cast<void*>(memory.data);
      return results_[static_cast<std::size_t>(memory.earlier)].data();
    }
    tenon::internal::codegen::LeafAdjoint const& own = kernel.adjoints[argument.at];
    GradientMemory& memory = case_of(kernel.with_backward).of(own);
    if (argument.is == Is::parts)
      memory.parts.assign(static_cast<std::size_t>(own.parts) * memory.sum.size(), {});
    return argument.is == Is::leaf_adjoint ? memory.sum.data() : memory.parts.data();
  }

  template <class Start>
  void call(Start const& start, tenon::internal::codegen::Kernel kernel) {
    if (kernel.with_backward < 0)
      results_.emplace_back(static_cast<std::size_t>(kernel.elements * kernel.element_bytes) + 1);
    std::vector<std::byte> none;
    std::vector<void*> arguments;
    for (tenon::internal::codegen::Argument const argument : kernel.arguments)
      arguments.push_back(address(kernel, argument, none));
    start(kernel, arguments);
  }

  tenon::codegen::Dialect const* dialect_;
  tenon::codegen::GradientPrinter printer_;
  std::vector<GradientCase> cases_;
  std::vector<std::vector<std::byte>> results_;
};

}  // namespace source_cases
