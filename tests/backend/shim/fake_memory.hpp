// Memory of a fake device: its addresses are not mapped in this program, so that the host cannot
// access it by mistake. Each allocation ends at a protected page.

#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>

namespace shim {

class FakeMemory {
 public:
  using Address = unsigned long long;
  static constexpr std::size_t most_bytes = std::size_t{1} << 30;

  std::size_t used() const { return used_; }

  /// 0 if no memory is left.
  Address allocate(std::size_t bytes) {
    if (bytes == 0 || bytes > most_bytes - used_) return 0;
    std::size_t const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    std::size_t const pages = (bytes + page - 1) / page * page;
    void* const map =
        mmap(nullptr, pages + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) return 0;
    auto* const begin = static_cast<std::byte*>(map);
    mprotect(begin + pages, page, PROT_NONE);
    std::memset(begin, 0xFF, pages);  // floats are NaN until they are written
    Address const address = next_;
    next_ += (pages + page + 255) / 256 * 256;
    used_ += bytes;
    pieces_[address] = {bytes, begin, pages + page, begin + (pages - (bytes + 15) / 16 * 16)};
    return address;
  }

  /// False if the address is not allocated.
  bool free(Address address) {
    auto const found = pieces_.find(address);
    if (found == pieces_.end()) return false;
    munmap(found->second.map, found->second.map_bytes);
    used_ -= found->second.bytes;
    pieces_.erase(found);
    return true;
  }

  /// The host address of a range; null if it is not all allocated.
  std::byte* find(Address address, std::size_t bytes) const {
    auto found = pieces_.upper_bound(address);
    if (found == pieces_.begin()) return nullptr;
    --found;
    std::size_t const offset = static_cast<std::size_t>(address - found->first);
    Piece const& piece = found->second;
    if (offset > piece.bytes || bytes > piece.bytes - offset) return nullptr;
    return piece.data + offset;
  }

 private:
  struct Piece {
    std::size_t bytes;
    std::byte* map;
    std::size_t map_bytes;
    std::byte* data;
  };

  std::map<Address, Piece> pieces_;
  Address next_ = 0x7fff'0000'0000'0000;  // not a canonical address of the processor
  std::size_t used_ = 0;
};

}  // namespace shim
