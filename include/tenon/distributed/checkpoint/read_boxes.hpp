#pragma once

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tenon/distributed/checkpoint/box.hpp>
#include <tenon/distributed/checkpoint/tensor_shards.hpp>
#include <tenon/io/safetensors/contents.hpp>
#include <tenon/io/safetensors/header.hpp>

/// Reads boxes of tensors from files.
namespace tenon::internal::checkpoints {

/// Reads runs of bytes, merging those whose gap is smaller than a disk read.
class RunReader {
 public:
  RunReader(InputFile const& file, std::uint64_t begin, std::span<std::byte> to)
      : file_(file), begin_(begin), to_(to) {}
  RunReader(RunReader const&) = delete;
  RunReader& operator=(RunReader const&) = delete;

  void add(Run const& run) {
    if (!runs_.empty() && (run.from > end() + gap || run.from - runs_.front().from > window))
      read();
    runs_.push_back(run);
  }

  /// Flushes the last merged run.
  void read() {
    if (runs_.size() == 1) {
      file_.read(begin_ + runs_[0].from, to_.data() + runs_[0].to, runs_[0].bytes);
    } else if (!runs_.empty()) {
      std::uint64_t const first = runs_.front().from;
      buffer_.resize(end() - first);
      file_.read(begin_ + first, buffer_.data(), buffer_.size());
      for (Run const& run : runs_)
        std::memcpy(to_.data() + run.to, buffer_.data() + (run.from - first), run.bytes);
    }
    runs_.clear();
  }

 private:
  static constexpr std::uint64_t gap = 4096, window = 4 << 20;

  std::uint64_t end() const { return runs_.back().from + runs_.back().bytes; }

  InputFile const& file_;
  std::uint64_t begin_;
  std::span<std::byte> to_;
  std::vector<Run> runs_{};
  std::vector<std::byte> buffer_{};
};

/// Reads boxes into memory, one file after the other.
class BoxReader {
 public:
  /// `index` is the file that names the others.
  explicit BoxReader(std::filesystem::path index) : index_(std::move(index)) {}

  /// Adds a stored box that may intersect the box to be read.
  void want(MutableTensorShard const& tensor_shard, std::string const& file,
            std::string const& entry, Box const& box) {
    Box const own{tensor_shard.begin, tensor_shard.extent};
    if (volume(common(box, own).extent) > 0)
      wanted_[file].push_back({&tensor_shard, entry, box, own});
  }

  /// Throws `FileError`.
  void read() const {
    for (auto const& [name, all] : wanted_) {
      InputFile const file(safetensors::path_of_part(name, index_));
      auto const header = safetensors::read_header(file);
      for (Wanted const& wanted : all) read(file, header, wanted);
    }
  }

 private:
  struct Wanted {
    MutableTensorShard const* tensor_shard;
    std::string entry;
    Box box;  ///< Of the file,
    Box own;  ///< and of the destination.
  };

  static void read(InputFile const& file, safetensors::Header const& header, Wanted const& wanted) {
    auto const& entry = found(file, header, wanted);
    auto const element = static_cast<std::size_t>(entry.dtype->bits) / 8;
    RunReader reader(file, header.data_at + entry.begin, wanted.tensor_shard->bytes);
    Runs(wanted.box, wanted.own, element).for_each([&](Run const& run) { reader.add(run); });
    reader.read();
  }

  /// Checks that the file matches the index.
  static safetensors::Entry const& found(InputFile const& file, safetensors::Header const& header,
                                         Wanted const& wanted) {
    auto const place = header.entries.find(wanted.entry);
    if (place == header.entries.end())
      fail<FileError>(
          {"load", wanted.entry, "what the index says", "no tensor of that name", file.name()});
    auto const& entry = place->second;
    if (entry.dtype != wanted.tensor_shard->dtype || entry.sizes != wanted.box.extent)
      fail<FileError>({"load", wanted.entry, "what the index says",
                       safetensors::described(header, wanted.entry, entry), file.name()});
    return entry;
  }

  std::filesystem::path index_;
  std::map<std::string, std::vector<Wanted>> wanted_{};
};

}  // namespace tenon::internal::checkpoints
