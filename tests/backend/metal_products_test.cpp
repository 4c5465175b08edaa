// Matmuls on a Metal device are computed by Metal Performance Shaders where they are batches of
// matrix products; on a machine without Metal, by the fake, which computes and counts them.

#include <tenon/tenon.hpp>

#include "metal_device.hpp"
#include "near.hpp"
#include "numbers.hpp"

namespace metal_products_test {

using namespace tenon;
using metal_device::expect_no_mistakes;
using metal_device::stand_in;
using tenon::internal::LoopLabel;

namespace {

/// True if the fake has computed this many more matmuls. Always true on real Metal.
bool went_there(long before, long more) {
  return !stand_in() || stand_in().products() - before == more;
}
long products() { return stand_in() ? stand_in().products() : 0; }

/// Compares a matmul on the device with the host, and counts the calls of the library.
template <class F, class A, class B>
void expect_product(long count, F const& f, A const& a, B const& b) {
  auto const x = to<Mps>(a);
  auto const y = to<Mps>(b);
  long const before = products();
  auto const there = f(x, y);
  CHECK(went_there(before, count));
  expect_near(there, f(a, b), 1e-5);
}

constexpr auto matmul_of = [](auto const& x, auto const& y) { return eval(matmul(x, y)); };

auto const a = numbers<Tensor<float, "m k">>(1, 5, 7);
auto const b = numbers<Tensor<float, "k n">>(2, 7, 6);

}  // namespace

TEST_CASE("matmuls by Metal Performance Shaders: operands as stored, or transposed") {
  if (!metal_device::is_there()) return;
  expect_product(1, matmul_of, a, b);
  expect_product(
      1, [](auto const& x, auto const& y) { return eval(einsum<"k m, n k -> n m">(x, y)); },
      eval(transpose<"m k">(a)), eval(transpose<"k n">(b)));
  expect_no_mistakes();
}

TEST_CASE("matmuls by Metal Performance Shaders: batched or one by one") {
  if (!metal_device::is_there()) return;
  auto const left = numbers<Tensor<float, "z m k">>(3, 4, 5, 7);
  auto const right = numbers<Tensor<float, "z k n">>(4, 4, 7, 6);
  expect_product(1, matmul_of, left, right);
  auto const q = numbers<Tensor<float, "b t h d">>(5, 2, 10, 3, 5);
  auto const k = numbers<Tensor<float, "b s h d">>(6, 2, 9, 3, 5);
  expect_product(
      6,
      [](auto const& x, auto const& y) {
        return eval(einsum<"b t h d, b s h d -> b h t s">(x, y));
      },
      q, k);
  expect_no_mistakes();
}

TEST_CASE("a matmul by Metal Performance Shaders accumulates") {
  if (!metal_device::is_there()) return;
  auto const x = to<Mps>(a);
  auto const y = to<Mps>(b);
  auto const c = to<Mps>(ones<Float32<"m n">>(5, 6));
  tenon::internal::codegen::Matrices<float> const product{
      x.data(),         y.data(),     static_cast<float*>(c.storage().buffer.data()),
      {5, 7, 0, 6},     {6, 0, 1, 1}, {7, 1, 6, 0},
      LoopLabel::one(), true};
  REQUIRE(Mps::multiplies(product));
  Mps::multiply(product);
  Mps::multiply(product);
  expect_near(c, eval(matmul(a, b) * 2.0f + 1.0f), 1e-5);
  expect_no_mistakes();
}

TEST_CASE("a recorded matmul by Metal Performance Shaders runs again with other values") {
  if (!metal_device::is_there()) return;
  auto const x = to<Mps>(a);
  auto const y = to<Mps>(b);
  long const before = products();
  Mps::begin_recording();
  auto const product = matmul_of(x, y);
  auto const recorded = Mps::end_recording();
  CHECK(went_there(before, 0));
  Float32<"m k"> const other = a + 1.0f;
  Mps::replay(recorded);
  expect_near(product, matmul_of(a, b), 1e-5);
  Mps::copy_from_host(x.storage().buffer.data(), other.data(), sizeof(float) * 35);
  Mps::replay(recorded);
  expect_near(product, matmul_of(other, b), 1e-5);
  CHECK(went_there(before, 2));
  expect_no_mistakes();
}

TEST_CASE("Metal Performance Shaders compute float16, but not bfloat16 and double") {
  static_assert(!tenon::internal::codegen::MultipliesMatrices<Mps, bfloat16, bfloat16>);
  static_assert(!tenon::internal::codegen::MultipliesMatrices<Mps, bfloat16, float>);
  static_assert(!tenon::internal::codegen::MultipliesMatrices<Mps, double, double>);
  if (!metal_device::is_there()) return;
  auto const x = numbers<Tensor<float16, "m k">>(1, 5, 7);
  auto const y = numbers<Tensor<float16, "k n">>(2, 7, 6);
  long const before = products();
  auto const there = to<Cpu>(eval(matmul(to<Mps>(x), to<Mps>(y))));
  CHECK(went_there(before, 1));
  expect_near(there, matmul_of(a, b), 1e-2);
  expect_no_mistakes();
}

TEST_CASE("Metal Performance Shaders are used only for supported operands, and only if available") {
  using tenon::internal::codegen::Matrices;
  auto const is_trusted = []<class T>(T* none, std::int64_t m, std::int64_t n, std::int64_t k) {
    return tenon::internal::metal::is_trusted(*tenon::internal::metal::product_of(Matrices<T>{
        none, none, none, {m, k, 0, n}, {n, 0, 1, 1}, {k, 1, n, 0}, LoopLabel::one(), false}));
  };
  float* const none = nullptr;
  float16* const no_half = nullptr;
  CHECK(is_trusted(none, 13000, 13000, 13000));
  CHECK(!is_trusted(none, 13500, 13500, 13500));
  CHECK(!is_trusted(none, 2, 32769, 3));
  CHECK(!is_trusted(none, 5, 6, 0));
  CHECK(is_trusted(none, 1, 6, 7));
  CHECK(is_trusted(no_half, 5, 6, 7));
  CHECK(!is_trusted(no_half, 1, 6, 7));
  // every second element along both axes
  CHECK(!tenon::internal::metal::product_of(Matrices<float>{
      none, none, none, {5, 28, 0, 6}, {6, 0, 1, 1}, {7, 2, 6, 0}, LoopLabel::one(), false}));
  if (!metal_device::is_there() || !stand_in()) return;
  auto const x = to<Mps>(a);
  tenon::internal::metal::Object const device =
      tenon::internal::metal::Api::instance().first_device();
  tenon::internal::metal::Buffers buffers;
  float* const memory = static_cast<float*>(buffers.add(device, 1024));
  auto const in_memory = tenon::internal::metal::product_of(Matrices<float>{
      memory, memory, memory, {5, 7, 0, 6}, {6, 0, 1, 1}, {7, 1, 6, 0}, LoopLabel::one(), false});
  CHECK(tenon::internal::metal::Multiplier(device, buffers).takes(*in_memory));
  stand_in().order("no shaders");
  CHECK(!tenon::internal::metal::Multiplier(device, buffers).takes(*in_memory));
  stand_in().order("shaders");
  stand_in().order("no queue");
  CHECK(!tenon::internal::metal::Queue(device, buffers).is_there());
  stand_in().order("a queue");
  tenon::internal::metal::Api::instance().release(device);
  expect_no_mistakes();
}

TEST_CASE("the fake rejects misordered calls, invalid matrices and released objects") {
  if (!metal_device::is_there() || !stand_in()) return;
  using tenon::internal::metal::ask, tenon::internal::metal::Natural,
      tenon::internal::metal::Object;
  auto const expect_mistake = [](std::string const& words) {
    CHECK(std::string(stand_in().mistakes()) == words + "\n");
    stand_in().forgive();
  };
  expect_no_mistakes();
  tenon::internal::metal::Pool const pool;
  tenon::internal::metal::Owned const device(
      tenon::internal::metal::Api::instance().first_device());
  tenon::internal::metal::Owned const queue(ask<"newCommandQueue", Object>(device.get()));
  tenon::internal::metal::Buffers buffers;
  tenon::internal::metal::Multiplier multiplier(device.get(), buffers);
  float* const memory = static_cast<float*>(buffers.add(device.get(), 240));
  auto const product = tenon::internal::metal::product_of(tenon::internal::codegen::Matrices<float>{
      memory, memory, memory, {5, 7, 0, 6}, {6, 0, 1, 1}, {7, 1, 6, 0}, LoopLabel::one(), false});
  Object const commands = ask<"commandBuffer", Object>(queue.get());
  Object const encoder = ask<"computeCommandEncoder", Object>(commands);
  multiplier.encode(commands, *product);
  expect_mistake("a product before endEncoding");
  ask<"endEncoding">(encoder);
  ask<"commit">(commands);
  multiplier.encode(commands, *product);
  expect_mistake("a product after commit");
  ask<"waitUntilCompleted">(commands);
  auto narrow = *product;
  narrow.matrices[0].lines.leading = 6;
  Object const others = ask<"commandBuffer", Object>(queue.get());
  multiplier.encode(others, narrow);
  expect_mistake("a description of matrices that there cannot be");
  Object const described =
      ask<"matrixDescriptorWithRows:columns:matrices:rowBytes:matrixBytes:dataType:", Object>(
          tenon::internal::metal::Api::instance().class_of("MPSMatrixDescriptor"), Natural{1},
          Natural{4}, Natural{1}, Natural{16}, Natural{16},
          tenon::internal::metal::Elements::float32);
  tenon::internal::metal::Api::instance().release(
      described);  // owned by the pool, which releases it again
  Object const matrix =
      ask<"alloc", Object>(tenon::internal::metal::Api::instance().class_of("MPSMatrix"));
  ask<"initWithBuffer:offset:descriptor:", Object>(matrix, buffers.find(memory).buffer, Natural{0},
                                                   described);
  expect_mistake("a product of what has ended");
  tenon::internal::metal::Api::instance().retain(described);
  expect_mistake("retained after its end: MPSMatrixDescriptor");
  tenon::internal::metal::Api::instance().release(matrix);
  auto beyond = *product;
  beyond.matrices[2].data += 240;
  metal_device::expect_words([&] { multiplier.encode(others, beyond); },
                             "tenon::mps: 'a product of matrices': expected a matrix, got none");
  expect_mistake("a matrix beyond its buffer");
  ask<"commit">(others);
  ask<"waitUntilCompleted">(others);
}

}  // namespace metal_products_test
