// An expression with a matmul, used by several threads.

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <thread>

#include <tenon/tenon.hpp>

namespace memo_threads_test {

using namespace tenon;

namespace {

/// Runs `f` in four threads that start at the same time.
template <class F>
void in_threads(F const& f) {
  std::atomic<int> waiting{4};
  std::array<std::thread, 4> threads;
  for (auto& thread : threads) {
    thread = std::thread([&] {
      --waiting;
      while (waiting != 0) std::this_thread::yield();
      f();
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace

TEST_CASE("threads copy an expression while others evaluate it") {
  Float32<"2 2"> const a{{1, 2}, {3, 4}};
  for (int i = 0; i < 50; ++i) {
    auto const expression = matmul(a, a) + 1.0f;
    std::atomic<int> right{0};
    in_threads([&] {
      auto const copy = expression;
      Float32<"2 2"> const of_copy = copy, of_expression = expression;
      if (of_copy(0, 0) == 8 && of_expression(1, 1) == 23) ++right;
    });
    CHECK(right == 4);
  }
}

TEST_CASE("threads that copy an expression share its cached value") {
  Float32<"2 2"> const a{{1, 2}, {3, 4}};
  auto const expression = matmul(a, a) + 1.0f;
  Float32<"2 2"> const value = expression;
  std::atomic<int> right{0};
  in_threads([&] {
    auto copy = expression;
    auto other = matmul(a, a) + 1.0f;
    other = copy;
    if (other(0, 0) == value(0, 0)) ++right;
  });
  CHECK(right == 4);
}

}  // namespace memo_threads_test
