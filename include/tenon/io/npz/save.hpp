#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <tenon/io/npy/header.hpp>
#include <tenon/io/npy/leaf.hpp>
#include <tenon/io/npy/save.hpp>
#include <tenon/io/npz/zip_writer.hpp>
#include <tenon/tree/tree.hpp>

namespace tenon::npz {

/// How `npz::save` writes the arrays.
struct SaveOptions {
  bool compressed = false;  ///< As `np.savez_compressed`.
};

}  // namespace tenon::npz

namespace tenon::internal::npz {

/// Atomically writes a file with these arrays.
inline void write_arrays(std::filesystem::path const& path,
                         std::vector<safetensors::Item> const& arrays, bool compressed) {
  AtomicFile file(path, "npz::save");
  ZipWriter zip(file);
  for (safetensors::Item const& array : arrays) {
    safetensors::HostElements const elements(array);
    std::string const head = npy::head_of(*array.dtype, array.sizes);
    zip.add(array.name + ".npy", {head, elements.data(), elements.bytes()}, compressed);
  }
  zip.finish();
  file.commit();
}

/// Saves a tree as an npz file: the arrays are named by their paths, `layers.0.weight`; a lone
/// tensor is `value`. Numbers are arrays without axes, a `Key` two words; `Frozen` parts are stored
/// too, names of axes are not. The same tree makes the same bytes. The file is written atomically;
/// a compressed array needs memory for its compressed bytes. Throws `FileError`, and `ShapeError`
/// where two run-time axes of one struct have one name and differ in size. NumPy: `np.savez`.
template <class Tree>
void save(std::filesystem::path const& path, Tree const& tree,
          tenon::npz::SaveOptions options = {}) {
  npy::check_tree<Tree>();
  tree::SizeCheck("npz::save", path.string())(tree);
  std::vector<safetensors::Item> arrays;
  tree::for_each<tree::Stored>(
      [&]<class Leaf>(tree::Path const& at, Leaf const& leaf) {
        npy::check_storable<Leaf>();
        if constexpr (npy::is_storable<Leaf>)
          arrays.push_back(npy::item_of(safetensors::entry_name(at), leaf));
      },
      tree);
  write_arrays(path, arrays, options.compressed);
}

}  // namespace tenon::internal::npz

namespace tenon::npz {

using internal::npz::save;

}  // namespace tenon::npz
