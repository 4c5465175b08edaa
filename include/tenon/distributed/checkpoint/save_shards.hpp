#pragma once

#include <algorithm>
#include <concepts>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tenon/core/stable_sort.hpp>
#include <tenon/distributed/checkpoint/generations.hpp>
#include <tenon/distributed/checkpoint/plan.hpp>
#include <tenon/distributed/communication/agree.hpp>
#include <tenon/distributed/communication/collective_try.hpp>
#include <tenon/io/safetensors/save.hpp>

namespace tenon {

/// Options of `save_shards`.
struct SaveShardsOptions {
  int keep = 1;         ///< The number of checkpoints kept in the folder, including the new one.
  Metadata metadata{};  ///< Metadata of the checkpoint; that of rank 0 is stored.
};

}  // namespace tenon

namespace tenon::internal {

/// A group, a mesh or a world.
template <class R>
concept Ranks = std::same_as<R, Group> || requires(R const& ranks) {
  { ranks.group() } -> std::same_as<Group const&>;
};

namespace checkpoints {

template <Ranks R>
Group const& group_among(R const& ranks) {
  if constexpr (std::same_as<R, Group>) return ranks;
  else return ranks.group();
}

/// The index of the checkpoint, the same on all ranks.
inline Index agreed_index(std::vector<TensorShard> const& tensor_shards, Metadata const& metadata,
                          Group const& group) {
  std::string own, all;
  mpi::collective_try(group, [&] { own = text_of(index_of(tensor_shards)); });
  auto const texts = mpi::texts_on_root(own, 0, group);
  mpi::on_first(group, [&] {
    Index index = planned(texts);
    safetensors::check_metadata(metadata, {});
    if (metadata.contains("total_size"))
      fail<ValueError>({"save", "total_size", "a name that the index does not use itself", {}, {}});
    index.whole.metadata.insert(metadata.begin(), metadata.end());
    all = text_of(index);
  });
  return IndexReader(mpi::text_of_root(std::move(all), 0, group), "what ranks hold").read_whole();
}

/// The shape of a box: the axes of its tensor with its own sizes.
inline Shape shape_of(Shape const& axes, Numbers const& extent) {
  Shape shape = axes;
  for (int i = 0; i < shape.rank; ++i)
    shape[i] = named_axis(axes[i].name.view(), extent[static_cast<std::size_t>(i)]);
  return shape;
}

/// The file of one rank.
class ShardFile {
 public:
  explicit ShardFile(std::vector<TensorShard> const& tensor_shards) {
    for (TensorShard const& tensor_shard : tensor_shards)
      tensor_shards_[{tensor_shard.name, Box{tensor_shard.begin, tensor_shard.extent}}] =
          &tensor_shard;
  }

  /// Writes the boxes that the index assigns to a file. Larger element sizes come first, so that
  /// each box is aligned to its element size.
  void write(Index const& index, std::filesystem::path const& path) {
    std::string const file = path.filename().string();
    for (auto const& [name, boxes] : index.boxes)
      for (StoredBox const& stored : boxes)
        if (stored.file == file) add(index, name, stored.box);
    stable_sort(items_, [](safetensors::Item const& a, safetensors::Item const& b) {
      return a.dtype->bits > b.dtype->bits;
    });
    safetensors::write_items(path, items_, metadata_);
  }

 private:
  void add(Index const& index, std::string const& name, Box const& box) {
    auto const& entry = index.whole.entries.find(name)->second;
    std::string const own = entry_name(name, box, entry.sizes);
    auto const axes = safetensors::axes_of(index.whole, name, entry);
    auto const spec = format(shape_of(axes, box.extent));
    if (spec.length > 0) metadata_[std::string(safetensors::spec_key).append(own)] = spec.view();
    auto const found = tensor_shards_.find({name, box});  // none if the tensor has no elements
    void const* const data = found == tensor_shards_.end() ? nullptr : found->second->bytes.data();
    items_.push_back({own, entry.dtype, box.extent, data, bytes_of(entry, box.extent), nullptr});
  }

  std::map<std::pair<std::string, Box>, TensorShard const*> tensor_shards_{};
  std::vector<safetensors::Item> items_{};
  Metadata metadata_{};
};

/// Every rank writes its file; once all are on disk, rank 0 writes the index.
inline void write_generation(std::filesystem::path const& path,
                             std::vector<TensorShard> const& tensor_shards, Index const& index,
                             Group const& group) {
  mpi::collective_try(group, [&] {
    ShardFile(tensor_shards).write(index, path / shard_name(group.rank(), group.size()));
  });
  mpi::on_first(group, [&] {
    AtomicFile file(path / index_name);
    file.write(text_of(index));
    file.commit();
  });
}

inline void save(std::filesystem::path const& folder, std::vector<TensorShard> const& tensor_shards,
                 SaveShardsOptions const& options, Group const& group) {
  Index const index = agreed_index(tensor_shards, options.metadata, group);
  std::string name;
  mpi::on_first(group, [&] { name = begin_generation(folder); });
  auto const path = folder / mpi::text_of_root(name, 0, group);
  try {
    write_generation(path, tensor_shards, index, group);
  } catch (CommunicationError const&) {
    throw;
  } catch (...) {
    if (group.rank() == 0) remove_generation(path);
    throw;
  }
  if (group.rank() == 0) remove_old_generations(folder, options.keep);
}

}  // namespace checkpoints

/// Saves a tree that is sharded over ranks (sharded tensors; replicated tensors, numbers and keys)
/// as a checkpoint in a folder. Every rank writes one file, and no tensor is sent; replicated data
/// is written by one rank, balanced by bytes. Collective. The checkpoint is atomic: complete on
/// disk or absent, even if a rank fails or is killed; then older ones are removed. An error on one
/// rank is thrown on all: `FileError`; `ValueError` if ranks have different numbers, or incomplete
/// tensors. PyTorch: `torch.distributed.checkpoint.save`.
template <class Tree, Ranks R>
void save_shards(std::filesystem::path const& folder, Tree const& run, R const& ranks,
                 SaveShardsOptions const& options = {},
                 mpi::SourceLocation where = mpi::SourceLocation::current()) {
  Group const& group = checkpoints::group_among(ranks);
  mpi::agree(group, {.operation = "save_shards", .where = where});
  std::vector<TensorShard> tensor_shards;
  mpi::collective_try(group, [&] {
    if (options.keep < 1)
      fail<ValueError>({"save_shards", "keep", "1 or more", std::to_string(options.keep)});
    tensor_shards = tensor_shards_of(run);
  });
  checkpoints::save(folder, tensor_shards, options, group);
}

}  // namespace tenon::internal

namespace tenon {

using internal::save_shards;

}  // namespace tenon
