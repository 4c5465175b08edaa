#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include <tenon/io/safetensors/header.hpp>
#include <tenon/io/safetensors/leaf_check.hpp>
#include <tenon/io/safetensors/open_file.hpp>
#include <tenon/io/safetensors/tree_reader.hpp>

namespace tenon::internal {

namespace safetensors {

/// The metadata without the specs that `save` adds.
Metadata users_metadata(Header const& header);

}  // namespace safetensors

/// Loads a tree of a type from a safetensors file of any origin, or from the files of an index
/// (`model.safetensors.index.json`). Run-time sizes are those of the file, and vectors and
/// optionals that `Tree()` leaves empty get the elements that the names in the file imply; tensors
/// on a device are copied there. Checked before anything is read: the file itself, that each leaf
/// of the tree has an entry and each entry a leaf, dtypes, sizes, bounds, and the names of axes if
/// the file has them. Throws `FileError`, or `ShapeError` for axes that do not fit, also where axes
/// of one name in one struct differ. PyTorch: `torch.load`.
template <class Tree>
Tree load(std::filesystem::path const& path, LoadOptions options = {}) {
  safetensors::OpenFile const file(path);
  return safetensors::TreeReader(file, std::move(options)).template read<Tree>();
}

/// The same with the structure of another tree: it determines the sizes of vectors and which
/// optionals have a value, and fields that are not in files (strings, for example) are copied from
/// it.
template <class Tree>
Tree load(std::filesystem::path const& path, Tree const& prototype, LoadOptions options = {}) {
  safetensors::OpenFile const file(path);
  return safetensors::TreeReader(file, std::move(options)).read(prototype);
}

/// The metadata of a safetensors file, without the specs that `save` adds. Throws `FileError`.
/// Python: `safetensors.safe_open(path, "pt").metadata()`.
Metadata load_metadata(std::filesystem::path const& path);

/// The contents of a safetensors file or of an index: names, each with dtype and axes as `float32
/// "in=784 out=10"`. Axes have names if Tenon wrote the file. Throws `FileError`.
std::map<std::string, std::string> load_contents(std::filesystem::path const& path);

}  // namespace tenon::internal

namespace tenon {

using internal::load;
using internal::load_contents;
using internal::load_metadata;

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/io/safetensors/load.ipp>
#endif
