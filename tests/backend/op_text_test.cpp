// Ops with a hand-written text in one kernel language.

#include <array>

#include <tenon/backend/codegen/print/gradient_source.hpp>
#include <tenon/backend/cuda.hpp>

#include "source_cases.hpp"

namespace op_text_test {

/// x^3 y: its body multiplies from the left, its text in C from the right.
struct Cubed {
  static constexpr std::string_view name = "cubed";
  template <tenon::op::FloatingValue V>
  static constexpr V f(V x, V y) {
    return ((x * x) * x) * y;
  }
  template <tenon::op::FloatingValue V>
  static constexpr auto d(V x, V y, V) {
    return tenon::op::partials(V(3) * x * x * y, x * x * x);
  }
};

}  // namespace op_text_test

template <>
inline constexpr auto tenon::codegen::op_text<op_text_test::Cubed> =
    std::array{tenon::codegen::OpText{&tenon::dialect::C::text, "f32",
                                      "f32 const square = x * x;\n"
                                      "return square * (x * y);"}};

namespace op_text_test {

using namespace tenon;

namespace {

Float32<"n"> const x{0.5f, -2, 3}, y{4, 0.25f, -1};

}  // namespace

TEST_CASE("the text of an op replaces its body in its language, once") {
  auto const formula = map<Cubed>(map<Cubed>(x, y), y);
  std::string const text = kernel_source(formula);
  std::string const function = R"(static inline f32 cubed_f32(f32 x, f32 y) {
  f32 const square = x * x;
  return square * (x * y);
}
)";
  CHECK(text.find(function) != text.npos);
  CHECK(text.rfind(function) == text.find(function));
  CHECK(text.find("= cubed_f32(v") != text.npos);
}

TEST_CASE("another language and another dtype have the body of the op") {
  CHECK(kernel_source<dialect::CudaC>(map<Cubed>(x, y)).find("square") == std::string::npos);
  CHECK(kernel_source(map<Cubed>(to<double>(x), to<double>(y))).find("square") ==
        std::string::npos);
}

TEST_CASE("the gradient is that of the op") {
  std::string const text = gradient_source<dialect::C>(map<Cubed>(x, y));
  CHECK(text.find("3.0f * ") != text.npos);
}

TEST_CASE("a kernel with the text of an op is compiled and run") {
  source_cases::Cases cases;
  cases.add("powers of two and small integers are exact in any order", 0,
            map<Cubed>(x, y) + map<Cubed>(y, y));
  Folder folder;
  std::string const text = cases.text();
  CHECK(text.find("square") != text.npos);
  void* const library = source_cases::compiled(text, folder);
  if (library == nullptr) {
    MESSAGE("skipped: there is no C compiler `cc`");
    return;
  }
  cases.run(library);
  dlclose(library);
}

}  // namespace op_text_test
