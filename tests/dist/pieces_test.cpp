// The boxes of tensors that a rank holds of a tree.

#include <array>
#include <optional>
#include <vector>

#include <doctest/doctest.h>
#include <tenon/dist/mesh.hpp>
#include <tenon/dist/pieces.hpp>
#include <tenon/dist/reduce_shards.hpp>
#include <tenon/dist/sharded.hpp>
#include <tenon/tenon.hpp>

namespace pieces_test {

using namespace tenon;

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

/// The state of an optimiser, of which each rank of `dp` has some rows.
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

}  // namespace pieces_test

template <>
struct tenon::PiecesOf<pieces_test::Rows> {
  template <class Node, class Take>
  static void visit(tree::Path const& path, Node& node, Take const& take) {
    auto const bytes =
        std::as_writable_bytes(std::span(const_cast<double*>(node.numbers.data()), 6));
    PieceOf<ByteOf<Node>> const whole{
        path.text(), &safetensors::stored_dtype<double>(), {}, {30}, {0}, {30}, bytes};
    take(rows_of<ByteOf<Node>>(whole, node.first, node.count, bytes));
  }
};

namespace pieces_test {

TEST_CASE("pieces have the names of their leaves, and lie where the mesh says") {
  World const world;
  auto const mesh = mesh_of(world);
  Model const model = model_of(mesh);
  auto const pieces = pieces_of(model);
  std::vector<std::string> names;
  for (auto const& piece : pieces) {
    names.push_back(piece.name);
    CHECK(std::int64_t(piece.bytes.size()) * 8 == elements(piece.extent) * piece.dtype->bits);
  }
  CHECK(names == std::vector<std::string>{"table", "layers.1.up", "layers.1.scale", "step", "key",
                                          "spectra.0"});
  CHECK(pieces[1].sizes == std::vector<std::int64_t>{5, 7});
  CHECK(pieces[1].begin[1] == (mesh.rank<"tp">() == 0 ? 0 : 4));
  CHECK(format(pieces[1].axes).view() == "in=5 hidden=7");
  std::int64_t own = elements(pieces[2].extent);
  mpi::all_reduce<op::sum>(&own, 1, world.group());
  CHECK(own == 7);
  CHECK(pieces[2].dtype->dtype == "bfloat16");
  CHECK(pieces[3].sizes.empty());
  CHECK(pieces[5].sizes == std::vector<std::int64_t>{4, 2});
}

TEST_CASE("what is read into a tree is not seen by its copies") {
  World const world;
  auto const mesh = mesh_of(world);
  Model const model = model_of(mesh);
  Model other = model;
  for (auto const& piece : pieces_of(other))
    for (auto& byte : piece.bytes) byte = std::byte{};
  CHECK(other.step == 0);
  CHECK(*other.key == Key(0));
  CHECK(other.table(2, 1) == 0);
  CHECK(model.table(2, 1) == 1);
  CHECK(model.step == 3);
  CHECK(whole(all_reduce(sum(other.layers[1]->up))).item() == 0);
  CHECK(whole(all_reduce(sum(model.layers[1]->up))).item() == 35);
}

TEST_CASE("a type of one's own says what it has") {
  World const world;
  auto const mesh = mesh_of(world);
  Training training{model_of(mesh), {6, 6, std::vector<double>(6)}};
  auto const pieces = pieces_of(training);
  CHECK(pieces.front().name == "model.table");
  CHECK(pieces.back().name == "moments");
  CHECK(pieces.back().begin[0] == 6);
  CHECK(pieces.back().extent[0] == 6);
}

}  // namespace pieces_test
