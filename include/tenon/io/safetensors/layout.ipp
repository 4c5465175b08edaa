#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/safetensors/layout.hpp>

namespace tenon::internal::safetensors {

TENON_RUNTIME std::pair<std::uint64_t, bool> bytes_of(Entry const& entry) {
  std::uint64_t product = static_cast<std::uint64_t>(entry.dtype->bits);
  bool fits = true, is_empty = false;
  for (std::int64_t const size : entry.sizes) {
    is_empty = is_empty || size == 0;
    auto const factor = static_cast<std::uint64_t>(size == 0 ? 1 : size);
    fits = !__builtin_mul_overflow(product, factor, &product) && fits;
  }
  fits = fits && product % 8 == 0 && product <= std::uint64_t{1} << 63;
  return {is_empty ? 0 : product / 8, fits};
}

class LayoutCheck {
 public:
  LayoutCheck(Header const& header, std::string_view where, std::uint64_t data_bytes)
      : where_(where), data_bytes_(data_bytes) {
    for (auto const& named : header.entries) order_.push_back(&named);
    std::ranges::sort(order_, {}, [](auto const* named) {
      return std::pair(named->second.begin, named->second.end);
    });
  }

  void run() const {
    std::uint64_t end = 0;
    for (auto const* named : order_) {
      check(named->first, named->second, end);
      end = named->second.end;
    }
    if (end != data_bytes_)
      refuse({}, bytes(end) + " of data, as the header says", bytes(data_bytes_));
  }

 private:
  void check(std::string const& name, Entry const& entry, std::uint64_t start) const {
    auto const offsets = std::to_string(entry.begin) + ".." + std::to_string(entry.end);
    if (entry.end < entry.begin) refuse(name, "offsets in order", offsets);
    if (entry.begin != start) refuse(name, "offsets from " + std::to_string(start), offsets);
    if (entry.end > data_bytes_)
      refuse(name, "offsets up to " + std::to_string(data_bytes_), offsets);
    auto const [wanted, fits] = bytes_of(entry);
    if (!fits) refuse(name, "a shape of whole bytes, less than 2^60 of them", "another");
    if (entry.end - entry.begin != wanted) {
      refuse(name, bytes(wanted) + " for its shape", bytes(entry.end - entry.begin));
    }
  }

  static std::string bytes(std::uint64_t number) { return std::to_string(number) + " bytes"; }

  [[noreturn]] void refuse(std::string_view name, std::string const& expected,
                           std::string const& got) const {
    fail<FileError>({"load", name, expected, got, where_});
  }

  std::string where_;
  std::uint64_t data_bytes_;
  std::vector<std::pair<std::string const, Entry> const*> order_{};
};

TENON_RUNTIME void check_layout(Header const& header, std::string_view where,
                                std::uint64_t data_bytes) {
  LayoutCheck(header, where, data_bytes).run();
}

}  // namespace tenon::internal::safetensors
