#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <tenon/distributed/checkpoint/read_boxes.hpp>
#include <tenon/distributed/checkpoint/save_shards.hpp>
#include <tenon/io/safetensors/leaf_check.hpp>
#include <tenon/io/utf8.hpp>

namespace tenon::internal {

namespace checkpoints {

/// The source of a checkpoint: a folder with an index, or a single file.
struct Source {
  std::string index{};            ///< The text of the index.
  std::filesystem::path named{};  ///< Its file, or the single file.
};

/// A file of unsharded tensors as a checkpoint of one shard.
inline Source source_of_file(std::filesystem::path const& path) {
  Index index{safetensors::read_header(InputFile(path)), {}};
  index.whole.metadata.erase("total_size");  // a field of the index only
  for (auto const& [name, entry] : index.whole.entries)
    index.boxes[name].push_back({whole_box(entry.sizes), path.filename().string(), {}});
  return {text_of(index), path};
}

inline Source source_of_generation(std::filesystem::path const& folder) {
  InputFile const file(folder / index_name);
  std::string text(file.size(), '\0');
  file.read(0, text.data(), text.size());
  if (!is_utf8(text))
    fail<FileError>({"load", {}, "an index of UTF-8", "other bytes", file.name()});
  return {std::move(text), folder / index_name};
}

/// The last checkpoint of a folder, a given checkpoint, or a safetensors file. Throws `FileError`.
inline Source find_source(std::filesystem::path const& path) {
  std::error_code none;
  if (std::filesystem::is_regular_file(path, none)) return source_of_file(path);
  if (std::filesystem::is_regular_file(path / index_name, none)) return source_of_generation(path);
  auto const all = generations_in(path, "load");
  auto const last = std::find_if(all.rbegin(), all.rend(), [](auto& g) { return g.is_committed; });
  if (last == all.rend())
    fail<FileError>({"load", {}, "a checkpoint that is complete", "none", path.string()});
  return source_of_generation(last->path);
}

/// The source, the same on all ranks; only the first reads the folder.
inline Source agreed_source(std::filesystem::path const& path, Group const& group) {
  Source source;
  mpi::on_first(group, [&] { source = find_source(path); });
  auto const share = [&](std::string const& text) { return mpi::text_of_root(text, 0, group); };
  return {share(source.index), share(source.named.string())};
}

/// The axes of a box with its global sizes.
inline Shape whole_shape(MutableTensorShard const& tensor_shard) {
  return shape_of(tensor_shard.axes, tensor_shard.sizes);
}

/// Throws `ValueError` for options that shards do not have.
inline void check_options(LoadOptions const& options, std::string const& where) {
  auto const refuse = [&](std::string_view option) {
    fail<ValueError>({"load_shards", option, "no such option", "it", where});
  };
  if (options.cast) refuse("cast");
  if (options.entry_name) refuse("entry_name");
  if (options.report_all) refuse("report_all");
}

/// Reads the boxes of all ranks.
class CheckpointReader {
 public:
  CheckpointReader(Source const& source, LoadOptions options, Group const& group)
      : source_(source), options_(options), group_(group) {
    mpi::collective_try(group, [&] {
      check_options(options_, source.named.string());
      index_ = IndexReader(source.index, source.named.string()).read_whole();
    });
  }

  /// All checks precede any read.
  void read(std::vector<MutableTensorShard> const& tensor_shards) const {
    BoxReader reader(source_.named);
    safetensors::LeafCheck const check(index_.whole, options_, source_.named.string());
    mpi::collective_try(group_, [&] {
      for (MutableTensorShard const& tensor_shard : tensor_shards)
        if (check.leaf(tensor_shard.name, *tensor_shard.dtype, whole_shape(tensor_shard)))
          want(tensor_shard, reader);
    });
    check_others(tensor_shards, check);
    mpi::collective_try(group_, [&] {
      reader.read();
      check_bools(tensor_shards);
    });
  }

 private:
  void want(MutableTensorShard const& tensor_shard, BoxReader& reader) const {
    auto const& sizes = index_.whole.entries.find(tensor_shard.name)->second.sizes;
    for (StoredBox const& stored : index_.boxes.find(tensor_shard.name)->second)
      reader.want(tensor_shard, stored.file, entry_name(tensor_shard.name, stored.box, sizes),
                  stored.box);
  }

  void check_bools(std::vector<MutableTensorShard> const& tensor_shards) const {
    for (MutableTensorShard const& tensor_shard : tensor_shards)
      if (tensor_shard.dtype == safetensors::stored_dtype_for("bool"))
        safetensors::check_bools(tensor_shard.name, tensor_shard.bytes.data(),
                                 tensor_shard.bytes.size(), source_.named.string());
  }

  /// Checks that every stored tensor is read by some rank.
  void check_others(std::vector<MutableTensorShard> const& tensor_shards,
                    safetensors::LeafCheck const& check) const {
    std::map<std::string, std::uint8_t> wanted;
    for (auto const& [name, entry] : index_.whole.entries) wanted[name] = 0;
    for (MutableTensorShard const& tensor_shard : tensor_shards)
      if (auto const found = wanted.find(tensor_shard.name); found != wanted.end())
        found->second = 1;
    std::vector<std::uint8_t> flags(wanted.size());
    std::ranges::transform(wanted, flags.begin(), [](auto const& one) { return one.second; });
    mpi::all_reduce<op::max>(flags.data(), static_cast<std::int64_t>(flags.size()), group_);
    std::vector<std::string> names;
    for (auto flag = flags.begin(); auto const& [name, unused] : wanted)
      if (*flag++ != 0) names.push_back(name);
    check.others(std::move(names));
  }

  Source const& source_;
  LoadOptions options_;
  Group const& group_;
  Index index_{};
};

}  // namespace checkpoints

/// Loads the last checkpoint of a folder into a tree. `like` gives the structure, sizes and
/// shardings on these ranks, which may differ from those at saving, as may the number of ranks; its
/// values are ignored. (A tree passed as an rvalue is loaded in place.) Every rank reads only the
/// bytes it needs. The path may name one of several checkpoints, `run/000003`, or a safetensors
/// file saved by one rank. Collective; an error on one rank is thrown on all: `FileError`, or
/// `ShapeError` for axes that do not match. PyTorch: `torch.distributed.checkpoint.load`.
template <class Tree, Ranks R>
Tree load_shards(std::filesystem::path const& folder, Tree like, R const& ranks,
                 LoadOptions options = {},
                 mpi::SourceLocation where = mpi::SourceLocation::current()) {
  Group const& group = checkpoints::group_among(ranks);
  mpi::agree(group, {.operation = "load_shards", .where = where});
  auto const source = checkpoints::agreed_source(folder, group);
  std::vector<MutableTensorShard> tensor_shards;
  mpi::collective_try(group, [&] { tensor_shards = tensor_shards_of(like); });
  checkpoints::CheckpointReader(source, options, group).read(tensor_shards);
  return like;
}

/// The metadata of a checkpoint. Throws `FileError`.
inline Metadata load_shards_metadata(std::filesystem::path const& folder) {
  auto const source = checkpoints::find_source(folder);
  auto index = checkpoints::IndexReader(source.index, source.named.string()).read();
  std::erase_if(index.whole.metadata,
                [](auto const& note) { return note.first.starts_with(safetensors::spec_key); });
  return index.whole.metadata;
}

}  // namespace tenon::internal

namespace tenon {

using internal::load_shards;
using internal::load_shards_metadata;

}  // namespace tenon
