// sanitize: thread
#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <tenon/tensor/block_cache.hpp>

namespace memory_test {

using namespace tenon::internal;

using tenon::internal::SharedBuffer;
using tenon::internal::SizeClass;
namespace memory = tenon::memory;

namespace {

struct Holder {
  SharedBuffer buffer;
  int value = 0;
};

constexpr Holder copied(Holder h) {
  Holder other = h;
  other = std::move(h);
  return other;
}
static_assert(copied(Holder{{}, 3}).value == 3);
static_assert(!SharedBuffer() && SharedBuffer().unique() && SharedBuffer().data() == nullptr);
static_assert(sizeof(SharedBuffer) == sizeof(void*));
static_assert(sizeof(tenon::internal::MemoryBlock) == 64);

constexpr bool size_classes_fit() {
  for (std::size_t bytes = 0; bytes < 70000; bytes += 13) {
    SizeClass const size = SizeClass::of(bytes);
    bool const wasteful = bytes > 256 && size.capacity > bytes + bytes / 4 + 64;
    if (size.capacity < bytes || size.capacity % 64 != 0 || wasteful) return false;
    if (SizeClass::of(size.capacity).index != size.index) return false;
    if (SizeClass::of(size.capacity + 1).index == size.index) return false;
  }
  return SizeClass::of(std::size_t{1} << 60).index < SizeClass::count;
}
static_assert(size_classes_fit());

std::uintptr_t address(SharedBuffer const& buffer) {
  return reinterpret_cast<std::uintptr_t>(buffer.data());
}

}  // namespace

TEST_CASE("buffers are aligned to a cache line and have the requested size") {
  for (std::size_t bytes : {0u, 1u, 63u, 64u, 65u, 1000u, 4096u, 100000u, 3000001u}) {
    SharedBuffer const buffer(bytes);
    CHECK(buffer.bytes() == bytes);
    CHECK(buffer.data() != nullptr);
    CHECK(address(buffer) % 64 == 0);
    std::memset(buffer.data(), 1, bytes);
  }
}

TEST_CASE("copying a buffer shares it") {
  SharedBuffer a(100);
  CHECK(a.unique());
  SharedBuffer b = a;
  CHECK(a.data() == b.data());
  CHECK(a == b);
  CHECK_FALSE(a.unique());
  SharedBuffer const c = std::move(b);
  b = SharedBuffer();
  CHECK_FALSE(c.unique());
  a = SharedBuffer(100);
  CHECK(c.unique());
  CHECK(a != c);
}

TEST_CASE("a buffer assigned to itself is unchanged") {
  SharedBuffer a(100);
  SharedBuffer const& same = a;
  a = same;
  CHECK(a.unique());
  CHECK(a.bytes() == 100);
}

TEST_CASE("a freed block is reused") {
  tenon::memory::empty_cache();
  void const* const first = SharedBuffer(5000).data();
  std::int64_t const before = tenon::memory::system_allocations();
  for (int i = 0; i < 100; ++i)
    CHECK(SharedBuffer(static_cast<std::size_t>(4900 + i)).data() == first);
  CHECK(tenon::memory::system_allocations() == before);
}

TEST_CASE("bytes in use follow the allocations") {
  std::int64_t const before = tenon::memory::bytes_in_use();
  {
    SharedBuffer const a(1024), b(4096), c = a;
    CHECK(tenon::memory::bytes_in_use() == before + 1024 + 4096);
  }
  CHECK(tenon::memory::bytes_in_use() == before);
}

TEST_CASE("empty_cache returns idle blocks to the system") {
  SharedBuffer const kept(1 << 20);
  { SharedBuffer const dropped(1 << 20); }
  CHECK(tenon::memory::bytes_cached() >= 1 << 20);
  tenon::memory::empty_cache();
  CHECK(tenon::memory::bytes_cached() == 0);
  CHECK(tenon::memory::bytes_in_use() >= 1 << 20);
}

TEST_CASE("threads share a cache at its limit") {
  tenon::memory::empty_cache();
  std::size_t const usual = tenon::memory::cache_limit();
  std::int64_t const used = tenon::memory::bytes_in_use();
  tenon::memory::set_cache_limit(100000);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (std::size_t i = 0; i < 2000; ++i) {
        std::size_t const bytes = (i * 37 + t * 101) % 30000;
        SharedBuffer const buffer(bytes);
        std::memset(buffer.data(), 1, bytes);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(tenon::memory::bytes_in_use() == used);
  CHECK(tenon::memory::bytes_cached() <= 100000);
  tenon::memory::set_cache_limit(usual);
}

TEST_CASE("large buffers allocated in sequence have different offsets within a page") {
  tenon::memory::empty_cache();
  std::vector<SharedBuffer> buffers;
  for (int i = 0; i < 4; ++i) buffers.emplace_back(std::size_t{1} << 20);
  for (std::size_t i = 1; i < buffers.size(); ++i) {
    CHECK(address(buffers[i]) % 4096 != address(buffers[i - 1]) % 4096);
  }
}

TEST_CASE("the error for a failed allocation has the number of bytes") {
  CHECK_THROWS_WITH_AS(
      SharedBuffer(std::size_t{1} << 60),
      "tenon::memory: expected 1152921504606846976 bytes, got none from the system", tenon::Error);
  CHECK_THROWS_AS(SharedBuffer(static_cast<std::size_t>(-1)), tenon::Error);
}

TEST_CASE("the size of a tensor in bytes is computed without overflow") {
  std::int64_t const huge = std::int64_t{1} << 40;
  CHECK(tenon::internal::memory::bytes_of(std::vector<std::int64_t>{3, 5}, 4) == 60);
  CHECK(tenon::internal::memory::bytes_of(std::vector<std::int64_t>{}, 8) == 8);
  CHECK(tenon::internal::memory::bytes_of(std::vector<std::int64_t>{huge, huge, 0}, 8) == 0);
  CHECK_THROWS_WITH_AS(tenon::internal::memory::bytes_of(std::vector<std::int64_t>{huge, huge}, 4),
                       "tenon::memory: expected less than 2^63 bytes, got more", tenon::ShapeError);
  CHECK_THROWS_WITH_AS(tenon::internal::memory::bytes_of(std::vector<std::int64_t>{2, -1}, 4),
                       "tenon::memory: expected a size of at least 0, got -1", tenon::ShapeError);
}

TEST_CASE("adopted memory is released to its owner once, by the last reference") {
  auto owner = std::make_shared<std::vector<float>>(10, 2.0f);
  float* const data = owner->data();
  SharedBuffer a = SharedBuffer::adopt(data, 40, owner);
  CHECK(owner.use_count() == 2);
  SharedBuffer b = a;
  a = SharedBuffer();
  CHECK(b.as<float>()[9] == 2.0f);
  CHECK(b.bytes() == 40);
  CHECK(owner.use_count() == 2);
  b = SharedBuffer();
  CHECK(owner.use_count() == 1);
}

TEST_CASE("threads allocate, share and free buffers concurrently") {
  std::atomic<int> wrong{0};
  SharedBuffer const shared(64);
  auto work = [&](unsigned char mark) {
    for (std::size_t i = 0; i < 500; ++i) {
      SharedBuffer const mine(64 + i % 7 * 300), also = mine, ours = shared;
      std::memset(mine.data(), mark, mine.bytes());
      if (also.as<unsigned char>()[mine.bytes() - 1] != mark) ++wrong;
    }
  };
  std::thread one(work, 1), two(work, 2);
  one.join();
  two.join();
  CHECK(wrong == 0);
  CHECK(shared.unique());
}

}  // namespace memory_test
