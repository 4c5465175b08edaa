// An OpenCL device: its tensors, and kernels compiled by its driver (PoCL's on a machine without
// another).

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/opencl.hpp>

#include "opencl_device.hpp"

namespace opencl_test {

using namespace tenon;

namespace {}  // namespace

TEST_CASE("a tensor that is already on the device is not copied") {
  if (!has_device()) return;
  auto const x = ones<Float32<"n", OpenCl>>(1000);
  CHECK(to<OpenCl>(x).data() == x.data());
  auto y = x;
  CHECK(y.data() == x.data());
  y.set_elements([](float* to) { std::fill_n(to, 1000, 2.0f); });
  CHECK(x(7) == 1);
  CHECK(y(7) == 2);
}

TEST_CASE("reading an element copies it to the host; a scalar converts to its number") {
  if (!has_device()) return;
  Float32<"2 3", OpenCl> const x{{1, 2, 3}, {4, 5, 6}};
  CHECK(x(1, 2) == 6);
  Float32<"", OpenCl> const total = sum(x);
  CHECK(total.item() == 21);
  CHECK(Float32<"", OpenCl>(2.5f).item() == 2.5f);
}

template <class D = Cpu>
struct Layers {
  std::array<Linear<"in=3", "in=3", D>, 2> hidden;
  std::vector<Float32<"in=3", D>> biases;
  Float32<"in=3 out=2", D> last;

  auto operator()(Float<"batch in=3"> auto const& x) const -> Float32<"batch out=2", D> {
    auto const first = eval(relu(hidden[0](x) + biases[0]));
    return matmul(tanh(hidden[1](first)), last);
  }
};

TEST_CASE("a model is copied as a tree and gives the same results on the device") {
  if (!has_device()) return;
  auto model = tenon::init::normal<Layers<>>(Key(5), 0.5f);
  model.biases.push_back(uniform<Float32<"in=3">>(Key(6)));
  auto const there = to<OpenCl>(model);
  static_assert(std::same_as<decltype(there), Layers<OpenCl> const>);
  auto const x = normal<Float32<"batch in=3">>(Key(7), 11);
  auto const y = model(x);
  auto const z = to<Cpu>(there(to<OpenCl>(x)));
  CHECK(all(abs(y - z) < 1e-6f).item());
  CHECK(to<Cpu>(there).biases.size() == 1);
}

TEST_CASE("a cached kernel is reused for other tensors, numbers and sizes") {
  if (!has_device()) return;
  auto const formula = [](auto const& x, auto const& y, float shift) {
    return Float32<"n">(to<Cpu>(x * y + shift));
  };
  for (std::int64_t const n : {5, 100, 5}) {
    auto const a = normal<Float32<"n">>(Key(n), n), b = normal<Float32<"n">>(Key(n + 1), n);
    auto const x = to<OpenCl>(a), y = to<OpenCl>(b);
    for (float const shift : {0.5f, -3.0f}) {
      CHECK(all(abs(formula(x, y, shift) - formula(a, b, shift)) < 1e-6f).item());
      CHECK(all(abs(formula(x, x, shift) - formula(a, a, shift)) < 1e-6f).item());
      CHECK(all(abs(formula(y, x, shift) - formula(b, a, shift)) < 1e-6f).item());
    }
  }
}

TEST_CASE("the error of a kernel that does not compile contains the driver's message") {
  if (!has_device()) return;
  try {
    OpenCl::compile("wrong", "__kernel void wrong(__global float* x) { x[0] = nowhere; }");
    FAIL("it compiled");
  } catch (DeviceError const& error) {
    std::string const words = error.what();
    CHECK(words.find("tenon::opencl: 'wrong': expected a kernel that compiles") == 0);
    CHECK(words.find("nowhere") != words.npos);
  }
}

}  // namespace opencl_test
