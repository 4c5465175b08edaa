// The code of docs/inspecting.md.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include <tenon/tenon.hpp>

#include <tenon/train/inspect.hpp>

namespace inspecting_test {

using namespace tenon;
using namespace tenon::training;

using Matrix = Float32<"row column">;

TEST_CASE("a profiler prints a table and writes a trace") {
  auto const path = std::filesystem::temp_directory_path() / "tenon_inspecting_trace.json";
  Matrix const x = ones<Matrix>(20, 30);
  Profiler profiler;
  {
    ProfileRange const range("forward");
    Matrix const y = exp(x) + 1;
  }
  std::string const table = profiler.table({.sort_by = "total"});
  profiler.save_chrome_trace(path);
  CHECK(table.find("add(exp(_), _)  (20, 30)  float32") != std::string::npos);
  CHECK(table.find("forward") != std::string::npos);
  CHECK(std::filesystem::remove(path));
}

namespace {

auto gradient_of_zero(Matrix const& x) {
  check_finite(x, "x");
  auto const loss = [](Matrix const& v) { return sum(sqrt(v)); };
  FiniteChecks const checks;
  auto const gradient = grad(loss)(x);
  return gradient;
}

}  // namespace

TEST_CASE("the first adjoint that is not finite throws") {
  Matrix x = ones<Matrix>(20, 30);
  x(0, 1) = 0;
  try {
    gradient_of_zero(x);
    FAIL("nothing thrown");
  } catch (NotFiniteError const& error) {  // (The line of the source may follow.)
    CHECK(std::string(error.what())
              .starts_with("tenon::FiniteChecks: 'backward of sum': expected finite elements, got "
                           "inf at (0, 1), 0 NaN and 1 infinite of 600 elements (an adjoint, "
                           "float32 of sum(sqrt(float32 (20, 30)))"));
  }
}

namespace {

struct Classifier {
  Float32<"pixel=784 hidden=128"> w1;
  Float32<"hidden=128"> b1;
  Float32<"hidden=128 digit=10"> w2;
  Float32<"digit=10"> b2;

  auto operator()(Float<"batch pixel=784"> auto const& image) const {
    auto hidden = relu(matmul(image, w1) + b1);
    return matmul(hidden, w2) + b2;
  }
};

}  // namespace

TEST_CASE("the summary of a model with an input has the outputs of its fields") {
  Classifier const model{};
  std::string const table = summary(model, zeros<Float32<"batch pixel=784">>(32)).text();
  for (std::string const line :
       {"model                                    (32, 10)    101,770  3,252,224\n",
        "├─w1   float32 \"pixel=784 hidden=128\"    (32, 128)   100,352  3,211,264\n",
        "├─b1   float32 \"hidden=128\"              (32, 128)       128          0\n",
        "├─w2   float32 \"hidden=128 digit=10\"     (32, 10)      1,280     40,960\n",
        "└─b2   float32 \"digit=10\"                (32, 10)         10          0\n"})
    CHECK(table.find(line) != std::string::npos);
}

TEST_CASE("the peak of memory is that since it was reset") {
  Matrix const x = ones<Matrix>(20, 30);
  auto const loss = [](Matrix const& v) { return sum(v * v); };
  reset_peak_memory();
  auto const gradient = grad(loss)(x);
  MemoryStatistics const found = memory_statistics();
  CHECK(found.peak_bytes_in_use >= found.bytes_in_use);
}

}  // namespace inspecting_test
