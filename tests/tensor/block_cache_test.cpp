// The cache of blocks: what it keeps, and what it lends.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

#include <tenon/tensor/block_cache.hpp>

namespace block_cache_test {

using tenon::internal::SharedBuffer;

TEST_CASE("with much idle memory, a block up to twice as large is reused") {
  tenon::memory::empty_cache();
  std::size_t const usual = tenon::memory::cache_limit();
  { SharedBuffer const larger(5 << 20); }
  std::int64_t const before = tenon::memory::system_allocations(),
                     used = tenon::memory::bytes_in_use();
  { SharedBuffer const little_is_idle(4 << 20); }
  CHECK(tenon::memory::system_allocations() == before + 1);
  tenon::memory::empty_cache();
  tenon::memory::set_cache_limit(8 << 20);
  void const* const second = SharedBuffer(5 << 20).data();
  {
    SharedBuffer const smaller(4 << 20);
    CHECK(smaller.data() == second);
    CHECK(tenon::memory::bytes_in_use() == used + (5 << 20));
  }
  CHECK(tenon::memory::bytes_in_use() == used);
  CHECK(SharedBuffer(5 << 20).data() == second);
  CHECK(SharedBuffer(3 << 20).data() == second);
  CHECK(tenon::memory::system_allocations() == before + 2);
  CHECK(SharedBuffer(2 << 20).data() != second);
  CHECK(tenon::memory::system_allocations() == before + 3);
  tenon::memory::set_cache_limit(usual);
}

TEST_CASE("growing buffers do not accumulate: beyond the limit the oldest idle blocks are freed") {
  tenon::memory::empty_cache();
  std::size_t const usual = tenon::memory::cache_limit();
  CHECK(usual > 0);
  tenon::memory::set_cache_limit(std::size_t{8} << 20);
  for (std::size_t megabytes = 1; megabytes < 40; ++megabytes) {
    SharedBuffer const buffer(megabytes << 20);
    CHECK(tenon::memory::bytes_cached() <= 8 << 20);
  }
  CHECK(tenon::memory::bytes_cached() == 0);  // the last one alone is larger
  { SharedBuffer const a(3 << 20), b(3 << 20), c(1 << 20); }
  CHECK(tenon::memory::bytes_cached() == 7 << 20);
  std::int64_t const before = tenon::memory::system_allocations();
  { SharedBuffer const a(3 << 20), b(3 << 20); }
  CHECK(tenon::memory::system_allocations() == before);
  { SharedBuffer const other(5 << 20); }  // the block of 1 MB has been idle the longest
  CHECK(tenon::memory::bytes_cached() == 8 << 20);
  { SharedBuffer const a(3 << 20), b(3 << 20); }  // one of them has the block of 5 MB
  CHECK(tenon::memory::system_allocations() == before + 1);
  tenon::memory::set_cache_limit(std::size_t{2} << 20);
  CHECK(tenon::memory::bytes_cached() == 0);
  tenon::memory::set_cache_limit(usual);
  CHECK(tenon::memory::cache_limit() == usual);
}

TEST_CASE("the cache keeps at most twice what was in use lately") {
  constexpr std::size_t megabyte = 1 << 20, largest = 200;
  tenon::memory::empty_cache();
  std::size_t const usual = tenon::memory::cache_limit();
  tenon::memory::set_cache_limit(1024 * megabyte);  // on a machine with any memory
  for (std::size_t size = 4; size <= largest; size += 4) SharedBuffer const grown(size * megabyte);
  CHECK(tenon::memory::bytes_cached() <= std::int64_t{2 * (largest + 50) * megabyte});
  std::int64_t before = 0;
  for (int step = 0; step < 10; ++step) {
    SharedBuffer const a(largest * megabyte);
    { SharedBuffer const b(largest / 2 * megabyte), c(largest / 2 * megabyte); }
    SharedBuffer const d(largest * megabyte), e(30 * megabyte);
    if (step == 0) before = tenon::memory::system_allocations();
    CHECK(tenon::memory::system_allocations() == before);
  }
  for (int i = 0; i < 2 << 16; ++i) SharedBuffer const small(64);
  CHECK(tenon::memory::bytes_cached() <= std::int64_t{64 * megabyte});
  tenon::memory::set_cache_limit(usual);
}

}  // namespace block_cache_test
