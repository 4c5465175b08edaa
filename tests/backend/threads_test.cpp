#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <tenon/backend/cpu/thread_count.hpp>
#include <tenon/backend/cpu/threads.hpp>
#include <tenon/core/error.hpp>
#include <tenon/tensor/memory.hpp>

namespace threads_test {

using namespace tenon::internal;

using tenon::internal::parallel_for;

namespace {

/// Sets the number of threads for one test, and restores it.
struct Threads {
  explicit Threads(int count) { tenon::set_threads(count); }
  Threads(Threads const&) = delete;
  Threads& operator=(Threads const&) = delete;
  ~Threads() { tenon::set_threads(before); }
  int before = tenon::threads();
};

std::vector<int> times_called(std::int64_t chunks) {
  std::vector<int> times(static_cast<std::size_t>(chunks));
  parallel_for(chunks, [&](std::int64_t i) { ++times[static_cast<std::size_t>(i)]; });
  return times;
}

}  // namespace

TEST_CASE("every chunk is called once for any number of threads") {
  for (int count : {1, 2, 3, 8}) {
    Threads const threads(count);
    CHECK(tenon::threads() == count);
    for (std::int64_t chunks : {0, 1, 2, 3, 7, 100, 1000}) {
      CHECK(times_called(chunks) == std::vector<int>(static_cast<std::size_t>(chunks), 1));
    }
  }
}

TEST_CASE("a negative number of chunks calls nothing") {
  parallel_for(-3, [](std::int64_t) { FAIL("called"); });
}

TEST_CASE("the writes of chunks are visible after each call") {
  Threads const threads(4);
  std::vector<std::int64_t> values(64, 1);
  for (int round = 0; round < 300; ++round) {
    parallel_for(64, [&](std::int64_t i) { values[static_cast<std::size_t>(i)] += i; });
  }
  for (std::size_t i = 0; i < 64; ++i) {
    CHECK(values[i] == 1 + 300 * static_cast<std::int64_t>(i));
  }
}

TEST_CASE("one chunk or one thread runs on the calling thread") {
  auto const here = std::this_thread::get_id();
  Threads const four(4);
  parallel_for(1, [&](std::int64_t) { CHECK(std::this_thread::get_id() == here); });
  tenon::set_threads(1);
  std::vector<std::int64_t> order;
  parallel_for(5, [&](std::int64_t i) {
    CHECK(std::this_thread::get_id() == here);
    order.push_back(i);
  });
  CHECK(order == std::vector<std::int64_t>{0, 1, 2, 3, 4});
}

TEST_CASE("a call from within a chunk runs in place") {
  Threads const threads(3);
  std::atomic<int> total{0}, moved{0};
  parallel_for(10, [&](std::int64_t) {
    auto const here = std::this_thread::get_id();
    parallel_for(10, [&](std::int64_t) {
      ++total;
      if (std::this_thread::get_id() != here) ++moved;
    });
  });
  CHECK(total == 100);
  CHECK(moved == 0);
}

TEST_CASE("every thread has its own working memory") {
  for (int count : {1, 4}) {
    Threads const threads(count);
    std::atomic<int> wrong{0};
    for (int round = 0; round < 20; ++round) {
      parallel_for(50, 100, [&](std::int64_t chunk, std::byte* scratch) {
        if (reinterpret_cast<std::uintptr_t>(scratch) % 64 != 0) ++wrong;
        for (int i = 0; i < 100; ++i) scratch[i] = static_cast<std::byte>(chunk);
        for (int i = 0; i < 100; ++i) {
          if (scratch[i] != static_cast<std::byte>(chunk)) ++wrong;
        }
      });
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("nested calls have their own working memory") {
  Threads const threads(3);
  std::atomic<int> wrong{0};
  parallel_for(9, 8, [&](std::int64_t outer, std::byte* ours) {
    ours[0] = static_cast<std::byte>(outer);
    parallel_for(5, 8, [&](std::int64_t inner, std::byte* theirs) {
      theirs[0] = static_cast<std::byte>(100 + inner);
    });
    if (ours[0] != static_cast<std::byte>(outer)) ++wrong;
  });
  CHECK(wrong == 0);
}

TEST_CASE("the amount of working memory does not depend on the order of threads") {
  Threads const threads(4);
  auto const work = [] {
    parallel_for(40, 100000, [](std::int64_t, std::byte* scratch) { *scratch = std::byte{1}; });
  };
  work();
  std::int64_t const before = tenon::memory::system_allocations();
  for (int round = 0; round < 20; ++round) work();
  CHECK(tenon::memory::system_allocations() == before);
}

TEST_CASE("an exception of a chunk is rethrown by the call") {
  for (int count : {1, 4}) {
    Threads const threads(count);
    for (int round = 0; round < 20; ++round) {
      auto const fails = [&] {
        parallel_for(100, [&](std::int64_t i) {
          if (i % 10 == 3) throw std::runtime_error("chunk");
        });
      };
      CHECK_THROWS_WITH_AS(fails(), "chunk", std::runtime_error);
    }
    CHECK(times_called(10) == std::vector<int>(10, 1));
  }
}

TEST_CASE("an exception of a nested call is rethrown by the outer one") {
  Threads const threads(3);
  auto const fails = [] {
    parallel_for(8, [](std::int64_t outer) {
      parallel_for(8, [&](std::int64_t inner) {
        if (outer == 2 && inner == 5) throw std::out_of_range("inner");
      });
    });
  };
  CHECK_THROWS_AS(fails(), std::out_of_range);
  CHECK(times_called(9) == std::vector<int>(9, 1));
}

TEST_CASE("several threads may call simultaneously") {
  Threads const threads(3);
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int caller = 0; caller < 3; ++caller) {
    callers.emplace_back([&] {
      for (int round = 0; round < 100; ++round) {
        if (times_called(20) != std::vector<int>(20, 1)) ++wrong;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == 0);
}

TEST_CASE("invalid numbers of threads are rejected") {
  Threads const threads(2);
  CHECK_THROWS_WITH_AS(tenon::set_threads(0),
                       "tenon::set_threads: expected a number of threads from 1 to 1024, got 0",
                       tenon::Error);
  CHECK_THROWS_AS(tenon::set_threads(-1), tenon::Error);
  CHECK_THROWS_AS(tenon::set_threads(1000000), tenon::Error);
  auto const inside = [] { parallel_for(4, [](std::int64_t) { tenon::set_threads(2); }); };
  CHECK_THROWS_WITH_AS(inside(), "tenon::set_threads: called from within parallel_for",
                       tenon::Error);
  CHECK(tenon::threads() == 2);
}

TEST_CASE("TENON_THREADS is a whole number") {
  CHECK(tenon::internal::thread_count::parse("3") == 3);
  for (char const* text : {"", "3x", "0", "-2", "4096", "two", "99999999999"}) {
    CHECK_THROWS_AS(tenon::internal::thread_count::parse(text), tenon::Error);
  }
  CHECK_THROWS_WITH_AS(tenon::internal::thread_count::parse("two"),
                       "tenon::threads: 'TENON_THREADS': expected a number of threads from 1 to "
                       "1024, got two",
                       tenon::Error);
}

TEST_CASE("a const function object is called as const") {
  struct Count {
    std::atomic<int>* total;
    void operator()(std::int64_t) const { ++*total; }
  };
  std::atomic<int> total{0};
  Count const count{&total};
  parallel_for(6, count);
  parallel_for(1, count);
  CHECK(total == 7);
}

}  // namespace threads_test
