// The boxes of the tensors of a tree that a rank holds.

#include <array>
#include <optional>
#include <vector>

#include <doctest/doctest.h>
#include <tenon/distributed/checkpoint/tensor_shards.hpp>
#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/sharding/reduce_shards.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

namespace tensor_shards_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

struct Layer {
  Sharded<float, "in=5 hidden=7@tp"> up;
  Sharded<bfloat16, "hidden=7@dp@tp"> scale;
};

struct Model {
  Float32<"n d=2"> table;
  std::array<std::optional<Layer>, 2> layers;
  std::int64_t step = 3;
  Frozen<Key> key = Key(7);
  std::vector<Complex128<"n">> spectra;
};

/// Optimiser state of which each rank of `dp` has some rows.
struct Rows {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::vector<double> numbers;
};
struct Training {
  Model model;
  Rows moments;
};

Mesh<"dp tp"> mesh_of(World const& world) {
  int const tp = world.size() % 2 == 0 ? 2 : 1;
  return Mesh<"dp tp">(world, world.size() / tp, tp);
}

Model model_of(Topology const& mesh) {
  Model model;
  model.table = ones<Float32<"n d=2">>(3);
  model.layers[1] = Layer{shard<"in hidden@tp">(mesh, ones<Float32<"in=5 hidden=7">>()),
                          shard<"hidden@dp@tp">(mesh, ones<BFloat16<"hidden=7">>())};
  model.spectra.resize(1, zeros<Complex128<"n">>(4));
  return model;
}

std::int64_t elements(std::vector<std::int64_t> const& sizes) {
  std::int64_t product = 1;
  for (auto const size : sizes) product *= size;
  return product;
}

}  // namespace

}  // namespace tensor_shards_test

template <>
struct tenon::internal::TensorShardsOf<tensor_shards_test::Rows> {
  template <class Node, class Take>
  static void visit(tenon::internal::tree::Path const& path, Node& node, Take const& take) {
    auto const bytes =
        std::as_writable_bytes(std::span(const_cast<double*>(node.numbers.data()), 6));
    TensorShardOf<ByteOf<Node>> const whole{
        path.text(), &tenon::internal::safetensors::stored_dtype<double>(), {}, {30}, {0}, {30},
        bytes};
    take(rows_of<ByteOf<Node>>(whole, node.first, node.count, bytes));
  }
};

namespace tensor_shards_test {

TEST_CASE("tensor_shards have the names of their leaves and the boxes of the mesh") {
  World const world;
  auto const mesh = mesh_of(world);
  Model const model = model_of(mesh);
  auto const tensor_shards = tensor_shards_of(model);
  std::vector<std::string> names;
  for (auto const& tensor_shard : tensor_shards) {
    names.push_back(tensor_shard.name);
    CHECK(std::int64_t(tensor_shard.bytes.size()) * 8 ==
          elements(tensor_shard.extent) * tensor_shard.dtype->bits);
  }
  CHECK(names == std::vector<std::string>{"table", "layers.1.up", "layers.1.scale", "step", "key",
                                          "spectra.0"});
  CHECK(tensor_shards[1].sizes == std::vector<std::int64_t>{5, 7});
  CHECK(tensor_shards[1].begin[1] == (mesh.rank<"tp">() == 0 ? 0 : 4));
  CHECK(format(tensor_shards[1].axes).view() == "in=5 hidden=7");
  std::int64_t own = elements(tensor_shards[2].extent);
  tenon::internal::mpi::all_reduce<op::sum>(&own, 1, world.group());
  CHECK(own == 7);
  CHECK(tensor_shards[2].dtype->dtype == "bfloat16");
  CHECK(tensor_shards[3].sizes.empty());
  CHECK(tensor_shards[5].sizes == std::vector<std::int64_t>{4, 2});
}

TEST_CASE("reading into a tree does not change its copies") {
  World const world;
  auto const mesh = mesh_of(world);
  Model const model = model_of(mesh);
  Model other = model;
  for (auto const& tensor_shard : tensor_shards_of(other))
    for (auto& byte : tensor_shard.bytes) byte = std::byte{};
  CHECK(other.step == 0);
  CHECK(*other.key == Key(0));
  CHECK(other.table(2, 1) == 0);
  CHECK(model.table(2, 1) == 1);
  CHECK(model.step == 3);
  CHECK(unshard(all_reduce(sum(other.layers[1]->up))).item() == 0);
  CHECK(unshard(all_reduce(sum(model.layers[1]->up))).item() == 35);
}

TEST_CASE("a user-defined type declares its shards") {
  World const world;
  auto const mesh = mesh_of(world);
  Training training{model_of(mesh), {6, 6, std::vector<double>(6)}};
  auto const tensor_shards = tensor_shards_of(training);
  CHECK(tensor_shards.front().name == "model.table");
  CHECK(tensor_shards.back().name == "moments");
  CHECK(tensor_shards.back().begin[0] == 6);
  CHECK(tensor_shards.back().extent[0] == 6);
}

}  // namespace tensor_shards_test
