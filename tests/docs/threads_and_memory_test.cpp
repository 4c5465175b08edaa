// The code that docs/threads_and_memory.md shows, and what it says of threads, memory and views.
// sanitize: thread

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <tenon/tenon.hpp>

namespace docs_threads_and_memory {
namespace {

using namespace tenon;

using Vector = Float32<"n">;

struct Line {
  Float32<"feature=100"> weight;
  Float32<""> bias;

  auto operator()(Float<"sample feature=100"> auto const& x) const {
    return eval(matmul(x, weight) + bias);
  }
};

TEST_CASE("set_threads sets the number of threads, which changes no bit") {
  auto const x = normal<Float32<"row column">>(Key{1}, 300, 500);
  int const before = threads();
  set_threads(1);
  auto const one = eval(softmax<"row">(x));
  set_threads(2);
  auto const two = eval(softmax<"row">(x));
  CHECK(threads() == 2);
  CHECK(all(one == two).item());
  set_threads(before);
}

TEST_CASE("a number of threads that is not one throws") {
  CHECK_THROWS_WITH_AS(set_threads(0),
                       "tenon::set_threads: expected a number of threads from 1 to 1024, got 0",
                       ValueError);
}

TEST_CASE("threads of the program compute at the same time") {
  auto const x = normal<Vector>(Key{1}, 100'000);
  auto const doubled = 2 * x;  // one expression for both threads
  Vector a, b;
  std::thread other([&] { a = doubled; });
  b = doubled;
  other.join();
  CHECK(all(a == b).item());
}

TEST_CASE("a copy shares its elements until one of the two is written") {
  auto x = normal<Vector>(Key{1}, 1000);
  auto const copy = x;
  CHECK(copy.data() == std::as_const(x).data());
  float const first = copy(0);
  x(0) = 7;  // x gets elements of its own
  CHECK(copy.data() != std::as_const(x).data());
  CHECK(copy(0) == first);
}

TEST_CASE("an assignment reuses the memory of a tensor that nobody shares") {
  auto const a = normal<Vector>(Key{1}, 1000);
  Vector x = a + 1;
  float const* const place = x.data();
  x = a * 2;  // written where x was
  CHECK(x.data() == place);
  auto const kept = x;
  x = a * 3;  // kept shares the old elements: x gets new ones
  CHECK(x.data() != place);
  CHECK(kept(3) == a(3) * 2);
}

TEST_CASE("a filled tensor is shared; a pointer is asked for anew, or belongs to a view") {
  auto x = zeros<Vector>(4);
  x.set_elements([](float* to) {
    for (int i = 0; i < 4; ++i) to[i] = static_cast<float>(i * i);
  });
  float* const to = x.mutable_data();  // the same by a pointer, valid until x is next used
  for (int i = 0; i < 4; ++i) to[i] = static_cast<float>(i * i);

  auto const copy = x;  // nothing is copied
  CHECK(copy.data() == std::as_const(x).data());
  x.mutable_data()[0] = 9;  // asked for anew: now the elements are copied
  CHECK(copy(0) == 0);

  auto const writer = mutable_view(x);
  float* const pointer = writer.mutable_data();  // valid as long as the view
  auto const other = x;                          // copies the elements
  pointer[0] = 7;
  CHECK(x(0) == 7);
  CHECK(other(0) == 9);
}

TEST_CASE("tensors of up to 256 bytes of static size have their elements inline") {
  auto const before = memory::bytes_in_use();
  Float32<"64"> const small = ones<Float32<"64">>();
  CHECK(memory::bytes_in_use() == before);
  Float32<"65"> const large = ones<Float32<"65">>();
  CHECK(memory::bytes_in_use() > before);
  CHECK(small(63) == large(64));
}

TEST_CASE("blocks go to the cache and come back from it") {
  memory::empty_cache();
  CHECK(memory::bytes_cached() == 0);
  auto const before = memory::system_allocations();
  for (int i = 0; i < 10; ++i) auto const x = ones<Vector>(1'000'000);
  CHECK(memory::system_allocations() == before + 1);
  CHECK(memory::bytes_cached() >= 4'000'000);
  memory::empty_cache();
  CHECK(memory::bytes_cached() == 0);
}

TEST_CASE("the cache keeps no more than its limit") {
  auto const before = memory::cache_limit();
  memory::set_cache_limit(1 << 20);
  { auto const x = ones<Vector>(1'000'000); }
  CHECK(memory::bytes_cached() <= 1 << 20);
  memory::set_cache_limit(before);
}

TEST_CASE("a training loop asks the system for no memory after its first step") {
  auto const x = normal<Float32<"sample feature=100">>(Key{1}, 200);
  auto const y = normal<Float32<"sample">>(Key{2}, 200);
  Line line;
  auto const adam = AdamW{.rate = 1e-2};
  auto state = adam.init(line);
  std::int64_t allocations = 0;
  for (int step = 0; step < 10; ++step) {
    auto const gradients = grad([&](Line const& l) { return mse_loss(l(x), y); })(line);
    std::tie(line, state) = adam.step(std::move(line), gradients, std::move(state));
    if (step == 0) allocations = memory::system_allocations();
  }
  CHECK(memory::system_allocations() == allocations);
}

TEST_CASE("a view borrows memory, and assign writes through it") {
  std::vector<float> numbers{1, 2, 3, 4, 5, 6};
  auto const x = view<Float32<"row column=3">>(numbers.data(), 2);
  CHECK(x(1, 0) == 4);
  Float32<"row"> const sums = sum<"column">(x);  // an operand like any other
  CHECK(sums(1) == 15);
  assign(x, 2 * x);  // writes to numbers
  CHECK(numbers[5] == 12);

  auto const columns = view<Float32<"column=3 row">>(numbers.data(), 2, ViewStrides(1, 3));
  CHECK(columns(0, 1) == 8);  // the same memory, transposed
}

TEST_CASE("a writable view of a tensor") {
  auto x = zeros<Vector>(4);
  auto const before = x;
  assign(mutable_view(x), iota<Vector>(4));
  CHECK(x(3) == 3);
  CHECK(before(3) == 0);
}

TEST_CASE("a tensor of run-time size that was moved from is empty, of static size it throws") {
  auto x = ones<Vector>(3);
  auto const y = std::move(x);
  CHECK(x.size() == 0);
  CHECK(y.size() == 3);
  auto a = ones<Float32<"200">>();
  auto const b = std::move(a);
  CHECK_THROWS_WITH_AS(
      a(0), "tenon::Tensor: a tensor that was moved from has no elements: assign to it first",
      Error);
  CHECK(b(0) == 1);
}

}  // namespace
}  // namespace docs_threads_and_memory
