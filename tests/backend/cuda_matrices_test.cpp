// Matmuls by cuBLASLt of every layout, with epilogues: on a real device, or on the fake of `shim/`.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/cuda/device.hpp>

#include "shim/cuda_device.hpp"

namespace cuda_matrices_test {

using namespace tenon;
using namespace tenon::internal;
using tenon::internal::codegen::EpilogueFunction;
using tenon::internal::codegen::MatmulEpilogue;
using tenon::internal::codegen::Matrices;

namespace {

bool has_device() { return shim::cuda_device() != shim::Device::none; }
bool is_fake() { return shim::cuda_device() == shim::Device::fake; }

/// Pseudo-random numbers.
template <class T>
struct Numbers {
  std::vector<T> here{};
  SharedBuffer there{};

  explicit Numbers(std::vector<T> all) : here(std::move(all)) {
    there = DeviceBlocks<Cuda>::instance().take(bytes());
    Cuda::copy_from_host(there.data(), here.data(), bytes());
  }

  std::size_t bytes() const { return here.size() * sizeof(T); }
  T* data() const { return static_cast<T*>(there.data()); }
  std::vector<T> read() const {
    std::vector<T> all(here.size());
    Cuda::copy_to_host(all.data(), there.data(), bytes());
    return all;
  }

  static Numbers some(int seed, std::size_t count) {
    std::vector<T> all;
    for (std::size_t i = 0; i < count; ++i)
      all.push_back(
          T(static_cast<float>((static_cast<int>(i) * 37 + seed * 11) % 41) * 0.125f - 2));
    return Numbers(all);
  }
};

/// Strides of the first and the second of two axes with these extents.
struct Steps {
  std::int64_t first, second, whole;
};
Steps steps_of(bool is_transposed, std::int64_t first, std::int64_t second) {
  if (is_transposed) return {1, first, first * second};
  return {second, 1, first * second};
}

constexpr std::int64_t m = 5, n = 6, k = 7, z = 3;

struct Layouts {
  bool left, right, result;
};

template <class T, class R>
void expect_product(Layouts lies, bool accumulates, double tolerance) {
  Steps const a = steps_of(lies.left, m, k), b = steps_of(lies.right, k, n),
              c = steps_of(lies.result, m, n);
  auto const x = Numbers<T>::some(1, z * m * k), y = Numbers<T>::some(2, z * k * n);
  auto const out = Numbers<R>::some(3, z * m * n);
  Matrices<T, R> const product{x.data(),
                               y.data(),
                               out.data(),
                               {m, a.first, 0, c.first},
                               {n, 0, b.second, c.second},
                               {k, a.second, b.first, 0},
                               {z, a.whole, b.whole, c.whole},
                               accumulates};
  REQUIRE(Cuda::multiplies(product));
  Cuda::multiply(product);
  auto const got = out.read();
  for (std::int64_t h = 0; h < z; ++h)
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        std::int64_t const at = h * c.whole + i * c.first + j * c.second;
        double sum = accumulates ? double(out.here[std::size_t(at)]) : 0;
        for (std::int64_t p = 0; p < k; ++p)
          sum += double(x.here[std::size_t(h * a.whole + i * a.first + p * a.second)]) *
                 double(y.here[std::size_t(h * b.whole + p * b.first + j * b.second)]);
        CHECK(double(got[std::size_t(at)]) == doctest::Approx(sum).epsilon(tolerance));
      }
}

/// A row of floats, the right or the left factor, times two ones, with an epilogue.
template <class R>
std::vector<float> ended(std::vector<float> const& row, MatmulEpilogue ending,
                         bool is_left = false) {
  std::vector<R> elements;
  for (float const x : row) elements.push_back(R(x));
  Numbers<R> const x(elements), one({R(1), R(1)});
  auto const out = Numbers<R>::some(4, 2 * row.size());
  auto const columns = static_cast<std::int64_t>(row.size());
  LoopLabel const ones{2, 1, 0, columns}, numbers{columns, 0, 1, 1};
  Matrices<R> product{one.data(), x.data(),         out.data(),       ones,
                      numbers,    LoopLabel::one(), LoopLabel::one(), false};
  if (is_left)
    product = {x.data(),           one.data(),       out.data(),       {columns, 1, 0, 1},
               {2, 0, 1, columns}, LoopLabel::one(), LoopLabel::one(), false};
  if (!Cuda::multiplies(product, ending)) return {};
  Cuda::multiply(product, ending);
  std::vector<float> result;
  for (R const y : out.read()) result.push_back(float(y));
  return result;
}

}  // namespace

TEST_CASE("cuBLASLt multiplies matrices as stored or transposed, and accumulates") {
  if (!has_device()) return;
  for (int layout = 0; layout < 8; ++layout)
    for (bool const accumulates : {false, true})
      expect_product<float, float>({(layout & 1) != 0, (layout & 2) != 0, (layout & 4) != 0},
                                   accumulates, 1e-5);
  expect_product<double, double>({true, false, true}, true, 1e-12);
  expect_product<bfloat16, float>({false, true, false}, true, 1e-5);
  expect_product<float16, float16>({false, false, false}, false, 1e-3);
  expect_product<bfloat16, bfloat16>({true, false, true}, false, 1e-2);
}

TEST_CASE("a matrix with strides along both axes is rejected, as is an empty one") {
  if (!has_device()) return;
  auto const x = Numbers<float>::some(1, 64), out = Numbers<float>::some(2, 64);
  Matrices<float> product{x.data(),     x.data(),      out.data(),       {3, 8, 0, 4},
                          {4, 0, 2, 1}, {2, 2, 16, 0}, LoopLabel::one(), false};
  CHECK(!Cuda::multiplies(product));
  LoopLabels nothing;
  nothing.add({0, 1, 0, 1});
  CHECK(tenon::internal::codegen::matrices_of<float, float>(nothing, product).empty());
}

TEST_CASE("a bias along the rows of the result is added by the epilogue") {
  if (!has_device()) return;
  Numbers<float> const bias({1, 2, -3, 0.5f, 8, 9});
  auto const before = shim::counts();
  CHECK(ended<float>({1, 2, 3}, {EpilogueFunction::none, bias.data(), 3}) ==
        std::vector<float>{2, 4, 0, 2, 4, 0});
  CHECK(shim::was_asked(before, 1, 0));
  CHECK((!is_fake() || shim::counts().epilogue == 4));
  CHECK(ended<float>({1, 2, 3}, {EpilogueFunction::none, bias.data(), 3}, true) ==
        std::vector<float>{2, 4, 0, 2, 4, 0});
  Numbers<bfloat16> const half({bfloat16(0.25f), bfloat16(-1.0f)});
  CHECK(ended<bfloat16>({1, 2}, {EpilogueFunction::none, half.data(), 2}) ==
        std::vector<float>{1.25f, 1, 1.25f, 1});
  CHECK(ended<float>({1, 2, 3}, {EpilogueFunction::none, bias.data(), 2}).empty());  // too short
  CHECK(
      ended<float>({1, 2, 3}, {EpilogueFunction::none, bias.data() + 1, 3}).empty());  // misaligned
}

TEST_CASE(
    "functions that cuBLASLt computes differently from Tenon are computed by kernels, unless "
    "allowed") {
  if (!has_device()) return;
  float const none = std::numeric_limits<float>::quiet_NaN();
  MatmulEpilogue const relu{EpilogueFunction::relu, nullptr, 0},
      gelu{EpilogueFunction::gelu_tanh, nullptr, 0};
  CHECK(ended<float>({1}, relu).empty());
  CHECK(ended<float>({1}, gelu).empty());
  {
    tenon::cuda::MathMode const mode({.gelu_tanh = true, .relu = true});
    CHECK(ended<float>({-1, 2}, relu) == std::vector<float>{0, 2, 0, 2});
    if (is_fake()) CHECK(ended<float>({none}, relu) == std::vector<float>{0, 0});
    CHECK(ended<float>({1}, gelu)[0] == doctest::Approx(0.841192).epsilon(1e-5));
    CHECK(ended<double>({1}, gelu).empty());
    Numbers<float> const bias(std::vector<float>{1, 2});
    CHECK(ended<float>({-1, -3}, {EpilogueFunction::relu, bias.data(), 2}) ==
          std::vector<float>{0, 0, 0, 0});
    CHECK((!is_fake() || shim::counts().epilogue == 6));
  }
  CHECK(ended<float>({1}, relu).empty());
}

TEST_CASE("floats are rounded to TF32 only within a scope that allows it") {
  if (!has_device()) return;
  float const fine = 1 + 1.0f / 4096;
  CHECK(ended<float>({fine}, {})[0] == fine);
  CHECK((!is_fake() || shim::counts().compute == 68));
  {
    tenon::cuda::MathMode const mode({.tf32 = true});
    CHECK(ended<float>({fine}, {})[0] == doctest::Approx(1).epsilon(1e-3));
    CHECK((!is_fake() || shim::counts().compute == 77));
    CHECK((!is_fake() || ended<float>({fine}, {})[0] == 1));
    CHECK(ended<bfloat16>({1.5f}, {})[0] == 1.5f);
    CHECK((!is_fake() || shim::counts().compute == 68));
    tenon::cuda::MathMode const inner({});
    CHECK(ended<float>({fine}, {})[0] == fine);
  }
  CHECK(ended<float>({fine}, {})[0] == fine);
}

TEST_CASE(
    "NVIDIA's cuBLASLt accepts the constants it is passed, also on a machine without a device") {
  tenon::internal::cuda::MatrixLibrary const real{
      .library = tenon::internal::codegen::Library{"/usr/local/cuda/lib64/libcublasLt.so"}};
  if (!real.is_there()) return;
  tenon::internal::cuda::Operation operation = nullptr;
  for (auto const compute :
       {tenon::internal::cuda::Compute::float32, tenon::internal::cuda::Compute::float32_by_tf32})
    CHECK(real.create_operation(&operation, compute, tenon::internal::cuda::Elements::float32) ==
          0);
  std::int32_t const one = 1;
  auto const epilogue = tenon::internal::cuda::Epilogue::gelu_of_bias;
  void const* const address = &one;
  CHECK(real.set_operation(operation, tenon::internal::cuda::transpose_a, &one, sizeof one) == 0);
  CHECK(real.set_operation(operation, tenon::internal::cuda::transpose_b, &one, sizeof one) == 0);
  CHECK(real.set_operation(operation, tenon::internal::cuda::kind_of_epilogue, &epilogue,
                           sizeof epilogue) == 0);
  CHECK(real.set_operation(operation, tenon::internal::cuda::bias_pointer, &address,
                           sizeof address) == 0);
  CHECK(real.set_operation(operation, tenon::internal::cuda::kind_of_epilogue, &address,
                           sizeof address) != 0);
  tenon::internal::cuda::Layout layout = nullptr;
  std::int64_t const step = 6;
  CHECK(real.create_layout(&layout, tenon::internal::cuda::Elements::bfloat16, 2, 3, 2) == 0);
  CHECK(real.set_layout(layout, tenon::internal::cuda::batch_count, &one, sizeof one) == 0);
  CHECK(real.set_layout(layout, tenon::internal::cuda::batch_step, &step, sizeof step) == 0);
  tenon::internal::cuda::Preference wishes = nullptr;
  std::size_t const bytes = 1024;
  CHECK(real.create_preference(&wishes) == 0);
  CHECK(real.set_preference(wishes, tenon::internal::cuda::most_workspace, &bytes, sizeof bytes) ==
        0);
  for (int const which :
       {+tenon::internal::cuda::reductions, +tenon::internal::cuda::alignment_of_a,
        +tenon::internal::cuda::alignment_of_d})
    CHECK(real.set_preference(wishes, which, &tenon::internal::cuda::in_compute_type, 4) == 0);
  CHECK(real.destroy_preference(wishes) == 0);
  CHECK(std::string(real.words(15)).find("not supported") != std::string::npos);
}

}  // namespace cuda_matrices_test
