// Expressions on a Metal device; on a machine without one, on a fake that runs the text of kernels
// on the host and records misuse by the host code. The text of all expressions is tested in
// `source_test.cpp` and `gradient_test.cpp`.

#include <tenon/tenon.hpp>

#include <thread>

#include "metal_device.hpp"
#include "near.hpp"
#include "numbers.hpp"

namespace metal_test {

using namespace tenon;
using namespace tenon::internal;
using metal_device::expect_no_mistakes;
using metal_device::expect_words;
using metal_device::stand_in;

namespace {

auto const x = numbers<Tensor<float, "n k">>(1, 7, 150);
auto const bias = numbers<Tensor<float, "k">>(3, 150);
auto const w = numbers<Tensor<float, "k m=3">>(4, 150);

}  // namespace

TEST_CASE(
    "a Metal device computes elementwise maps, reductions and matmuls, with their gradients") {
  if (!metal_device::is_there()) return;
  auto const loss = [](auto const& all) {
    auto const& [a, b, v] = all;
    auto const hidden = eval(softmax<"k">(a * 2.0f + sin(b)));
    return mean(square(matmul(hidden, v) + 1.0f));
  };
  long const before = stand_in() ? stand_in().products() : 0;
  auto const [value, derivatives] =
      value_and_grad(loss)(std::tuple(to<Mps>(x), to<Mps>(bias), to<Mps>(w)));
  CHECK((!stand_in() || stand_in().products() - before == 3));
  auto const [value_, slopes_] = value_and_grad(loss)(std::tuple(x, bias, w));
  expect_near(value, value_, 1e-5);
  expect_near(std::get<0>(derivatives), std::get<0>(slopes_), 1e-4);
  expect_near(std::get<1>(derivatives), std::get<1>(slopes_), 1e-4);
  expect_near(std::get<2>(derivatives), std::get<2>(slopes_), 1e-4);
  expect_no_mistakes();
}

TEST_CASE("copies to a Metal device have the values from the time of the call") {
  if (!metal_device::is_there()) return;
  for (std::int64_t const n : {0, 1, 1003, 4096}) {
    auto a = iota<Float32<"n">>(n);
    auto const first = to<Mps>(a);
    auto const work = eval(first * 3.0f);  // leaves pending work on the device
    auto const second = to<Mps>(Float32<"n">(a * 2.0f));
    std::fill_n(a.mutable_data(), n, -1.0f);
    auto const tripled = to<Cpu>(work), doubled = to<Cpu>(second);
    bool is_same = true;
    for (std::int64_t i = 0; i < n; ++i)
      is_same = is_same && tripled.data()[i] == 3 * float(i) && doubled.data()[i] == 2 * float(i);
    CHECK(is_same);
  }
  auto const mask = to<Mps>(Tensor<bool, "n">(iota<Float32<"n">>(13) < 7.0f));
  auto copy = mask;
  copy.set_elements([](bool* to) { std::fill_n(to, 13, false); });
  CHECK(sum(to<Cpu>(to<std::int32_t>(mask))).item() == 7);
  CHECK(sum(zeros<Float32<"n", Mps>>(1000) + 1.0f).item() == 1000);
  expect_no_mistakes();
}

TEST_CASE("many kernels are enqueued before a synchronisation, also from another thread") {
  if (!metal_device::is_there()) return;
  float got = 0;
  std::thread([&] {
    Float32<"n", Mps> a = zeros<Float32<"n", Mps>>(100);
    for (int i = 0; i < 700; ++i) a = a + 1.0f;
    got = max(to<Cpu>(a)).item();
  }).join();
  CHECK(got == 700);
  expect_no_mistakes();
}

TEST_CASE("a work group shares memory and synchronises at barriers") {
  if (!metal_device::is_there()) return;
  auto const& text = tenon::dialect::MetalC::text;
  auto const parameters = tenon::internal::codegen::joined(
      {tenon::internal::codegen::filled(text.result, {"f32", "out", "0"}),
       tenon::internal::codegen::filled(text.operand, {"f32", "in", "1"})},
      ", ");
  std::string const kernel =
      std::string(text.prelude) +
      tenon::internal::codegen::filled(text.group_kernel, {"turned", parameters, "64"}) + " {\n" +
      tenon::internal::codegen::filled(text.shared, {"f32", "part", "64"}) +
      "\ni64 const at = " + std::string(text.member) +
      ";\ni64 const first = " + std::string(text.group) + " * 64;\npart[at] = in[first + at];\n" +
      std::string(text.barrier) + "\nout[first + at] = part[63 - at] + (f32)" +
      std::string(text.groups) + ";\n}\n";
  auto const in = to<Mps>(iota<Float32<"n">>(192));
  auto out = zeros<Float32<"n", Mps>>(192);
  auto const function = Mps::compile("turned", kernel);
  Mps::launch(function, {{out.storage().buffer.data()}, {in.data()}}, {.groups = 3, .members = 64});
  CHECK(to<Cpu>(out)(0) == 66);
  CHECK(to<Cpu>(out)(64) == 130);
  CHECK(to<Cpu>(out)(191) == 131);
  expect_words([&] { Mps::launch(function, {}, {.groups = 1, .members = 100000}); },
               "tenon::mps: 'starting a kernel': expected at most ");
  expect_no_mistakes();
}

TEST_CASE("the error of a kernel that does not compile contains Metal's message and the text") {
  if (!metal_device::is_there()) return;
  std::string const text =
      "#include <metal_stdlib>\nkernel void wrong(device float* x [[buffer(0)]]) { x[0] = nowhere; "
      "}\n";
  expect_words([&] { Mps::compile("wrong", text); },
               "tenon::mps: 'wrong': expected a kernel that compiles, got ");
  expect_words([&] { Mps::compile("wrong", text); }, "nowhere");
  expect_no_mistakes();
}

TEST_CASE("memory of another device is rejected") {
  if (!metal_device::is_there()) return;
  float here = 0;
  expect_words([&] { Mps::clear(&here, sizeof here); },
               "tenon::mps: 'an argument of a kernel': expected memory of the device");
  expect_no_mistakes();
}

TEST_CASE("a captured function runs again on a device of Metal") {
  if (!metal_device::is_there()) return;
  Float32<"n", Mps> const a = to<Mps>(iota<Float32<"n">>(50));
  Mps::begin_recording();
  auto const doubled = eval(a * 2.0f);
  auto const recorded = Mps::end_recording();
  Mps::replay(recorded);
  CHECK(to<Cpu>(doubled)(7) == 14);
  expect_no_mistakes();
}

TEST_CASE("a Metal device has no double: the host computes it, unless the fallback is disabled") {
  if (!metal_device::is_there()) return;
  auto const a = to<Mps>(iota<Tensor<double, "n">>(5));
  auto const before = set_fallback(Fallback::refused);
  expect_words([&] { (void)eval(a + 1.0); },
               "tenon::mps: 'float64': expected a kernel, got none; for float64 \"n=5\" = add(");
  set_fallback(Fallback::silent);
  CHECK(to<Cpu>(eval(a + 1.0))(4) == 5);
  set_fallback(before);
  expect_no_mistakes();
}

TEST_CASE("errors of a Metal device are reported, and it can be used afterwards") {
  if (!metal_device::is_there() || !stand_in()) return;
  auto const a = to<Mps>(iota<Float32<"n">>(50));
  CHECK(Mps::model() == "a stand-in for Metal");
  stand_in().order("fail");
  auto const b = eval(a + 1.0f);
  expect_words([&] { (void)to<Cpu>(b); },
               "tenon::mps: 'running kernels': expected success, got the stand-in was told to fail "
               "in one of "
               "kernel_add");
  CHECK(to<Cpu>(eval(a + 2.0f))(3) == 5);
  stand_in().order("no memory");
  DeviceBlocks<Mps>::instance().clear();
  expect_words([&] { (void)eval(a + 1.0f); },
               "tenon::mps: expected 200 bytes of the device's memory, got none; for float32 "
               "\"n=50\" = add(");
  stand_in().order("memory");
  CHECK(Mps::allocate(std::size_t{1} << 40) == nullptr);  // more than the device's largest buffer
  stand_in().order("reject");
  expect_words([&] { (void)eval(a - 0.5f); },
               "expected a kernel that compiles, got the stand-in was told to reject");
  stand_in().order("reject");
  expect_words([&] { (void)eval(a - 0.5f); }, "; for float32 \"n=50\" = sub(");
  stand_in().order("old");  // a system without math modes
  CHECK(to<Cpu>(eval(tanh(a) * 0.0f + 1.0f))(3) == 1);
  expect_no_mistakes();
}

TEST_CASE("only compiled kernels remain of the Metal objects") {
  if (!metal_device::is_there() || !stand_in()) return;
  Mps::synchronise();
  DeviceBlocks<Mps>::instance().clear();
  for (std::string const type :
       {"MTLBuffer", "MTLCommandBuffer", "MTLComputeCommandEncoder", "MTLLibrary",
        "MTLCompileOptions", "MPSMatrix", "MPSMatrixDescriptor", "NSString", "NSError"}) {
    INFO(type);
    CHECK(stand_in().living(type.c_str()) == 0);
  }
  CHECK(stand_in().living("MTLDevice") == 1);
  CHECK(stand_in().living("MTLCommandQueue") == 1);
  CHECK(stand_in().living("MTLFunction") == stand_in().living("MTLComputePipelineState"));
  expect_no_mistakes();
}

}  // namespace metal_test
