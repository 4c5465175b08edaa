#pragma once

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <unistd.h>

#include <tenon/distributed/checkpoint/checkpoint.hpp>
#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/communication/world.hpp>
#include <tenon/io/safetensors.hpp>
#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

/// Common parts of the checkpoint tests.
namespace checkpoint_trees {

using namespace tenon;
using namespace tenon::internal;

/// A folder shared by all ranks, for the duration of one test, in the working directory.
class Folder {
 public:
  explicit Folder(World const& world) : group_(world.group()) {
    std::string name = "checkpoints-XXXXXX";
    if (world.rank() == 0 && ::mkdtemp(name.data()) == nullptr) throw Error("no folder for a test");
    path_ = tenon::internal::mpi::text_of_root(name, 0, group_);
  }
  Folder(Folder const&) = delete;
  Folder& operator=(Folder const&) = delete;
  ~Folder() {
    barrier(group_);
    if (group_.rank() == 0) std::filesystem::remove_all(path_);
  }
  std::filesystem::path operator/(std::string const& name) const { return path_ / name; }
  operator std::filesystem::path() const { return path_; }

 private:
  Group group_;
  std::filesystem::path path_;
};

/// A mesh of any number of ranks, as square as possible.
inline Mesh<"dp tp"> mesh_of(Group const& group) {
  int const tp = group.size() % 4 == 0 ? 4 : group.size() % 2 == 0 ? 2 : 1;
  return Mesh<"dp tp">(group, group.size() / tp, tp);
}

/// Allocates the sharded tensors of a tree on a mesh; run-time sizes are 11.
template <class Tree>
Tree placed(Topology const& mesh, Tree tree = {}) {
  auto const shared = std::make_shared<Topology const>(mesh);
  tenon::tree::for_each<InTensorShards>(
      [&]<class Leaf>(Leaf& leaf) {
        if constexpr (ShardType<Leaf>) {
          Sizes sizes = static_sizes(Leaf::sharding.shape);
          for (int i = 0; i < Leaf::sharding.shape.rank; ++i)
            if (!Leaf::sharding.shape[i].is_static()) at(sizes, i) = 11;
          leaf.place = Placement(shared, sizes);
          leaf.unchecked_local =
              Leaf::local_type::uninitialised(own_box<Leaf::spec>(leaf.place).sizes);
        }
      },
      tree);
  return tree;
}

/// The expected byte `byte` of an element of a leaf; for bools 0 or 1.
inline std::byte stamp(MutableTensorShard const& tensor_shard, std::int64_t element,
                       std::size_t byte, int salt) {
  tenon::internal::mpi::Fingerprint print;
  print.add(tensor_shard.name);
  print.add(element * 16 + static_cast<std::int64_t>(byte));
  print.add(salt);
  auto const mask = tensor_shard.dtype->dtype == "bool" ? 1u : 255u;
  return static_cast<std::byte>(print.value >> 40 & mask);
}

/// Calls `use(byte, wanted)` for all bytes of a tree.
template <class Tree, class F>
void for_each_byte(Tree& tree, int salt, F const& use) {
  for (auto const& tensor_shard : tensor_shards_of(tree)) {
    std::size_t const width = static_cast<std::size_t>(tensor_shard.dtype->bits) / 8;
    tenon::internal::checkpoints::Box const all = tenon::internal::checkpoints::whole_box(
                                                tensor_shard.sizes),
                                            own{tensor_shard.begin, tensor_shard.extent};
    auto const stamp_run = [&](tenon::internal::checkpoints::Run const& run) {
      for (std::size_t i = 0; i < run.bytes; ++i)
        use(tensor_shard.bytes[run.to + i],
            stamp(tensor_shard, static_cast<std::int64_t>((run.from + i) / width), i % width,
                  salt));
    };
    tenon::internal::checkpoints::Runs(all, own, width).for_each(stamp_run);
  }
}

/// Sets every element to a value derived from its name and its global index.
template <class Tree>
Tree stamped(Tree tree, int salt = 1) {
  for_each_byte(tree, salt, [](std::byte& byte, std::byte wanted) { byte = wanted; });
  return tree;
}

/// The number of bytes that differ from it, on all ranks.
template <class Tree>
std::int64_t wrong_bytes(Tree tree, Group const& group, int salt = 1) {
  std::int64_t wrong = 0;
  for_each_byte(tree, salt, [&](std::byte byte, std::byte wanted) { wrong += byte != wanted; });
  tenon::internal::mpi::all_reduce<op::sum>(&wrong, 1, group);
  return wrong;
}

/// The message of the exception, which is the same on all ranks except for folder names. "nothing"
/// if none is thrown.
template <class Exception, class F>
std::string words_of(F&& call) {
  try {
    call();
  } catch (Exception const& e) {
    std::string words = e.what();
    auto const at = words.find("checkpoints-");
    if (at != words.npos) words.erase(at, std::strlen("checkpoints-XXXXXX"));
    if (at != words.npos && words[at] == '/') words.erase(at, 1);
    return words;
  }
  return "nothing";
}

/// A tree on one rank, and two sharded ones.
struct Plain {
  Float32<"in=5 hidden=7"> up;
  BFloat16<"hidden=7"> scale;
  Mask<"rows=9 k=3"> mask;
  Int16<"n"> ids = zeros<Int16<"n">>(11);
  Complex128<"m=6"> spectrum;
  Float64<""> loss;
  Float32<"none=0 k=4"> nothing;
  Float32<"a=3 b=4 c=5"> cube;
  std::int64_t step = 0;
  bool flag = false;
  Frozen<Key> key;
};
struct Rows {
  Sharded<float, "in=5@dp hidden=7"> up;
  Sharded<bfloat16, "hidden=7@dp@tp"> scale;
  Sharded<bool, "rows=9@tp k=3@dp"> mask;
  Sharded<std::int16_t, "n@dp"> ids;
  Sharded<std::complex<double>, "m=6@tp"> spectrum;
  Sharded<double, ""> loss;
  Sharded<float, "none=0 k=4@tp"> nothing;
  Sharded<float, "a=3@dp b=4 c=5@tp"> cube;
  std::int64_t step = 0;
  bool flag = false;
  Frozen<Key> key;
};
struct Columns {
  Sharded<float, "in=5 hidden=7@tp@dp"> up;
  Sharded<bfloat16, "hidden=7"> scale;
  Sharded<bool, "rows=9@dp@tp k=3"> mask;
  Sharded<std::int16_t, "n@tp"> ids;
  Sharded<std::complex<double>, "m=6@dp@tp"> spectrum;
  Float64<""> loss;
  Sharded<float, "none=0@dp k=4"> nothing;
  Sharded<float, "a=3 b=4@tp c=5@dp"> cube;
  std::int64_t step = 0;
  bool flag = false;
  Frozen<Key> key;
};

struct Small {
  Sharded<float, "a=4@dp b=6@tp"> w;
  Float32<"b=6"> bias;
};

/// The error message of loading `like`.
template <class Exception, class Tree>
std::string loading(std::filesystem::path const& path, Tree const& like, World const& world,
                    LoadOptions options = {}) {
  return words_of<Exception>([&] { (void)load_shards(path, like, world, options); });
}

inline std::string read_text(std::filesystem::path const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace checkpoint_trees
