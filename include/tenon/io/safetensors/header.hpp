#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/core/shape.hpp>
#include <tenon/io/safetensors/dtype.hpp>

namespace tenon {

/// The metadata of a file: names and texts, both UTF-8.
using Metadata = std::map<std::string, std::string>;

}  // namespace tenon

namespace tenon::internal {

namespace safetensors {

/// The maximum size of a header, as in the reference implementation.
inline constexpr std::uint64_t most_header_bytes = 100'000'000;

/// The maximum rank of an entry: that of PyTorch and NumPy.
inline constexpr std::size_t most_axes = 64;

inline constexpr std::string_view metadata_name = "__metadata__";

/// The header's description of a tensor. Offsets are bytes from the start of the data.
struct Entry {
  StoredDtype const* dtype = nullptr;
  std::vector<std::int64_t> sizes{};
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint32_t file = 0;  ///< The number of its file, where an index names several.
};

struct Header {
  std::map<std::string, Entry, std::less<>> entries{};
  Metadata metadata{};
  std::uint64_t data_at = 0;  ///< The offset of the data in the file.
};

/// Reads the entries of a header; `where` is the file in messages. Throws `FileError`.
Header read_entries(std::string_view text, std::string_view where);

/// The entry of that name; null where there is none.
Entry const* find_entry(Header const& header, std::string_view name);

}  // namespace safetensors

}  // namespace tenon::internal

namespace tenon::internal::safetensors {

/// The size in bytes from an entry's sizes and dtype; false on overflow.
std::pair<std::uint64_t, bool> bytes_of(Entry const& entry);

/// Checks that the tensors fill the data contiguously: without gaps, overlaps or trailing bytes,
/// and each with the size of its shape. Throws `FileError`.
void check_layout(Header const& header, std::string_view where, std::uint64_t data_bytes);

/// The axes of an entry of at most eight: its sizes, and the names in the metadata.
Shape axes_of(Header const& header, std::string_view name, Entry const& entry);

/// The text of an entry in messages: `float32 "in=512 out=10"`.
std::string described(Header const& header, std::string_view name, Entry const& entry);

/// These texts of all entries, by name.
std::map<std::string, std::string> contents_of(Header const& header);

/// Run-time sizes of an entry of at most eight axes.
Sizes sizes_of(Entry const& entry);

/// Whether an entry fits axes: names and static sizes agree, run-time sizes satisfy bounds and
/// expressions.
bool fits(Shape const& wanted, Shape const& axes, Sizes const& sizes);

}  // namespace tenon::internal::safetensors

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <cstddef>

#include <tenon/core/error.hpp>
#include <tenon/core/format.hpp>
#include <tenon/core/language/word.hpp>
#include <tenon/core/rules/agree.hpp>
#include <tenon/core/rules/fit.hpp>
#include <tenon/io/json.hpp>
#include <tenon/io/safetensors/leaf.hpp>

namespace tenon::internal::safetensors {

/// Reads the entries of a header.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, std::string_view where) : json_(text, where) {}

  Header read() {
    bool has_metadata = false;
    json_.object([&](std::string name) {
      if (name == metadata_name) {
        if (std::exchange(has_metadata, true)) refuse_repeated(name);
        return read_metadata();
      }
      auto const [place, is_new] = header_.entries.try_emplace(std::move(name));
      if (!is_new) refuse_repeated(place->first);
      read_entry(place->second);
    });
    json_.end();
    return std::move(header_);
  }

 private:
  void read_metadata() {
    json_.object([&](std::string name) {
      auto const [place, is_new] = header_.metadata.try_emplace(std::move(name));
      if (!is_new) refuse_repeated(place->first);
      place->second = json_.string();
    });
  }

  void read_entry(Entry& entry) {
    bool has_dtype = false, has_shape = false, has_offsets = false;
    json_.object([&](std::string const& name) {
      bool* const has = name == "dtype"          ? &has_dtype
                        : name == "shape"        ? &has_shape
                        : name == "data_offsets" ? &has_offsets
                                                 : nullptr;
      if (!has) json_.refuse("dtype, shape or data_offsets", "'" + name + "'");
      if (std::exchange(*has, true)) refuse_repeated(name);
      if (has == &has_dtype) read_dtype(entry);
      if (has == &has_shape) read_shape(entry);
      if (has == &has_offsets) read_offsets(entry);
    });
    if (!has_dtype) json_.refuse("a dtype", "none");
    if (!has_shape) json_.refuse("a shape", "none");
    if (!has_offsets) json_.refuse("data_offsets", "none");
  }

  void read_dtype(Entry& entry) {
    std::string const name = json_.string();
    entry.dtype = file_dtype_named(name);
    if (!entry.dtype) json_.refuse("a dtype of safetensors", "'" + name + "'");
  }

  void read_shape(Entry& entry) {
    json_.array([&] {
      std::int64_t const size = json_.number();
      if (size > largest_size) json_.refuse("a size of at most 2^53", std::to_string(size));
      if (entry.sizes.size() == most_axes) json_.refuse("at most 64 axes", "more");
      entry.sizes.push_back(size);
    });
  }

  void read_offsets(Entry& entry) {
    json_.expect('[');
    entry.begin = static_cast<std::uint64_t>(json_.number());
    json_.expect(',');
    entry.end = static_cast<std::uint64_t>(json_.number());
    json_.expect(']');
  }

  [[noreturn]] void refuse_repeated(std::string const& name) {
    json_.refuse("every name once", "'" + name + "' again");
  }

  json::Reader json_;
  Header header_;
};

TENON_RUNTIME Header read_entries(std::string_view text, std::string_view where) {
  return HeaderReader(text, where).read();
}

TENON_RUNTIME Entry const* find_entry(Header const& header, std::string_view name) {
  auto const found = header.entries.find(name);
  return found == header.entries.end() ? nullptr : &found->second;
}

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

/// The names in a spec, "" for an axis without. Not by `parse`, which is for specs in source code:
/// a file may contain arbitrary text.
TENON_RUNTIME std::vector<std::string_view> names_in(std::string_view spec) {
  std::vector<std::string_view> names;
  while (names.size() <= max_rank) {
    std::string_view const word = next_word(spec);
    if (word.empty()) break;
    std::string_view const name = word.substr(0, word.find('='));
    bool const is_known = is_name(name) && name[0] != '_' && name.size() <= FixedText::capacity;
    names.push_back(is_known ? name : "");
  }
  return names;
}

/// The axis names of an entry, if the metadata have a spec of the same rank. (Sizes are those of
/// the entry: other programs may change a tensor and copy the metadata.)
TENON_RUNTIME std::vector<std::string_view> axis_names(Header const& header, std::string_view name,
                                                       std::size_t rank) {
  std::vector<std::string_view> none(rank, "");
  auto const note = header.metadata.find(std::string(spec_key).append(name));
  if (note == header.metadata.end()) return none;
  auto names = names_in(note->second);
  return names.size() == rank ? names : none;
}

TENON_RUNTIME Shape axes_of(Header const& header, std::string_view name, Entry const& entry) {
  auto const names = axis_names(header, name, entry.sizes.size());
  Shape result{};
  for (std::size_t i = 0; i < names.size(); ++i) {
    result[result.rank++] = named_axis(names[i], entry.sizes[i]);
  }
  return result;
}

TENON_RUNTIME std::string described(Header const& header, std::string_view name,
                                    Entry const& entry) {
  auto const dtype = entry.dtype->dtype.empty() ? entry.dtype->name : entry.dtype->dtype;
  if (entry.sizes.size() <= max_rank) {
    return quoted_spec(dtype, format(axes_of(header, name, entry)).view());
  }
  std::string spec;
  for (std::int64_t const size : entry.sizes) {
    spec.append(spec.empty() ? "" : " ").append(std::to_string(size));
  }
  return quoted_spec(dtype, spec);
}

TENON_RUNTIME std::map<std::string, std::string> contents_of(Header const& header) {
  std::map<std::string, std::string> contents;
  for (auto const& [name, entry] : header.entries) contents[name] = described(header, name, entry);
  return contents;
}

TENON_RUNTIME Sizes sizes_of(Entry const& entry) {
  Sizes sizes = unit_sizes();
  for (std::size_t i = 0; i < entry.sizes.size(); ++i) sizes[i] = entry.sizes[i];
  return sizes;
}

TENON_RUNTIME bool fits(Shape const& wanted, Shape const& axes, Sizes const& sizes) {
  return assignable(wanted, axes) && mismatch_of(wanted, sizes) < 0;
}

}  // namespace tenon::internal::safetensors

#endif
