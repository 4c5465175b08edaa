// Checkpoints of sharded trees: saved on one mesh, loaded on another.

#include <doctest/doctest.h>

#include "checkpoint_trees.hpp"

namespace checkpoint_test {

using namespace tenon::internal;

using namespace checkpoint_trees;

TEST_CASE("a checkpoint is loaded with other shardings than it was saved with") {
  World const world;
  auto const mesh = mesh_of(world.group());
  Folder const folder(world);
  save_shards(folder, stamped(placed<Rows>(mesh)), mesh);
  CHECK(wrong_bytes(load_shards(folder, placed<Rows>(mesh), mesh), world.group()) == 0);
  auto const columns = load_shards(folder, placed<Columns>(mesh), mesh);
  CHECK(wrong_bytes(columns, world.group()) == 0);
  save_shards(folder, columns, mesh);
  CHECK(wrong_bytes(load_shards(folder, placed<Rows>(mesh), mesh), world.group()) == 0);
  CHECK(wrong_bytes(load_shards(folder, Plain(), world), world.group()) == 0);
}

TEST_CASE("a checkpoint is loaded by fewer or more ranks than saved it") {
  World const world;
  Folder const folder(world);
  auto const all = mesh_of(world.group());
  save_shards(folder / "all", stamped(placed<Rows>(all)), all);
  int const cut = (world.size() + 1) / 2;
  Group const some = world.group().split(world.rank() < cut ? 0 : 1, 0, "some");
  auto const mesh = mesh_of(some);
  auto const tree = load_shards(folder / "all", placed<Columns>(mesh), mesh);
  CHECK(wrong_bytes(tree, world.group()) == 0);
  auto const own = folder / (world.rank() < cut ? "first" : "second");
  save_shards(own, tree, some);
  barrier(world.group());
  CHECK(wrong_bytes(load_shards(folder / "first", placed<Rows>(all), all), world.group()) == 0);
}

TEST_CASE("options of load that shards do not have throw") {
  World const world;
  auto const mesh = mesh_of(world.group());
  Folder const folder(world);
  save_shards(folder, stamped(placed<Rows>(mesh)), mesh);
  auto const message_of = [&](LoadOptions const& options) {
    return words_of<ValueError>(
        [&] { (void)load_shards(folder, placed<Rows>(mesh), mesh, options); });
  };
  CHECK(message_of({.cast = true}).find("'cast': expected no such option") != std::string::npos);
  CHECK(message_of({.entry_name = [](std::string const& path) {
          return path;
        }}).find("'entry_name': expected no such option") != std::string::npos);
  CHECK(message_of({.report_all = true}).find("'report_all': expected no such option") !=
        std::string::npos);
  barrier(world.group());
}

TEST_CASE("a file of one rank is loaded as shards, and shards are saved to one file") {
  World const world;
  auto const mesh = mesh_of(world.group());
  Folder const folder(world);
  if (world.rank() == 0) save(folder / "one.safetensors", stamped(Plain()));
  auto const rows = load_shards(folder / "one.safetensors", placed<Rows>(mesh), mesh);
  CHECK(wrong_bytes(rows, world.group()) == 0);
  save_shards(folder / "run", rows, mesh);
  if (world.rank() == 0)
    save(folder / "again.safetensors", load_shards(folder / "run", Plain(), Group()));
  barrier(world.group());
  CHECK(wrong_bytes(load<Plain>(folder / "again.safetensors"), world.group()) == 0);
}

namespace {

using Block = Sharded<float, "in=6 out=6@tp">;

/// Layers of a pipeline: each rank has those of its stage.
struct Stages {
  Float32<"d=3"> table;
  std::array<std::optional<Block>, 5> blocks;
};

/// The layers of a rank of `pp`: every n-th one, or a contiguous range.
Stages stages_on(Topology const& mesh, bool in_turn) {
  Stages stages;
  for (int i = 0; i < 5; ++i) {
    int const pp = mesh.size("pp"), stage = in_turn ? i % pp : i * pp / 5;
    if (mesh.rank("pp") == stage) stages.blocks[static_cast<std::size_t>(i)].emplace();
  }
  return placed(mesh, stages);
}

/// Optimiser state of which each rank holds some rows.
struct Moments {
  Topology const* mesh = nullptr;
  std::int64_t first = 0;
  Float64<"n d=2"> rows;
};

}  // namespace

}  // namespace checkpoint_test

template <>
struct tenon::internal::TensorShardsOf<checkpoint_test::Moments> {
  template <class Node, class Take>
  static void visit(tenon::internal::tree::Path const& path, Node& node, Take const& take) {
    auto tensor_shard = unsharded_tensor_shard(path.text(), node.rows);
    tensor_shard.sizes[0] = 11;
    tensor_shard.begin[0] = node.first;
    take(tensor_shard);
  }
};

namespace checkpoint_test {

TEST_CASE("layers that exist on some ranks only") {
  World const world;
  Mesh<"pp tp"> const mesh(world, world.size() % 2 == 0 ? world.size() / 2 : world.size(),
                           world.size() % 2 == 0 ? 2 : 1);
  Folder const folder(world);
  save_shards(folder, stamped(stages_on(mesh, true)), mesh);
  CHECK(wrong_bytes(load_shards(folder, stages_on(mesh, false), mesh), world.group()) == 0);
  Mesh<"pp tp"> const flat(world, 1, world.size());
  auto const all = load_shards(folder, stages_on(flat, false), flat);
  CHECK(wrong_bytes(all, world.group()) == 0);
  CHECK(all.blocks[4].has_value());
}

TEST_CASE("a user-defined type saves its rows and loads others") {
  World const world;
  Folder const folder(world);
  auto const rows_of_rank = [&](int rank) {
    auto const parts = tenon::internal::mpi::parts_of(11, world.size());
    auto const r = static_cast<std::size_t>(rank);
    return std::tuple(Moments{nullptr, tenon::internal::mpi::starts_of(parts)[r],
                              zeros<Float64<"n d=2">>(parts[r])});
  };
  save_shards(folder, stamped(rows_of_rank(world.rank())), world);
  auto const other = rows_of_rank(world.size() - 1 - world.rank());
  CHECK(wrong_bytes(load_shards(folder, other, world), world.group()) == 0);
}

TEST_CASE("each box is written once, and the work is distributed over the ranks") {
  World const world;
  Folder const folder(world);
  std::vector<Float32<"n">> const tree(16, ones<Float32<"n">>(1000));
  save_shards(folder, tree, world);
  auto const name = tenon::internal::checkpoints::shard_name(world.rank(), world.size());
  std::int64_t own = std::int64_t(load_contents(folder / "000001" / name).size());
  CHECK(std::abs(double(own) - 16.0 / world.size()) < 1);
  tenon::internal::mpi::all_reduce<op::sum>(&own, 1, world.group());
  CHECK(own == 16);
}

TEST_CASE("other readers of safetensors find tensors and boxes by name") {
  World const world;
  Mesh<"dp tp"> const mesh(world, 1, world.size());
  Folder const folder(world);
  auto const tree = stamped(placed<std::tuple<Sharded<float, "a=3 b=8@tp">>>(mesh));
  save_shards(folder, tree, mesh, {.metadata = {{"epoch", "7"}}});
  CHECK(load_shards_metadata(folder) == Metadata{{"epoch", "7"}});
  auto const shard =
      folder / "000001" / tenon::internal::checkpoints::shard_name(world.rank(), world.size());
  auto const contents = load_contents(shard);
  auto const part =
      tenon::internal::mpi::parts_of(8, world.size())[static_cast<std::size_t>(world.rank())];
  auto const first = tenon::internal::mpi::starts_of(
      tenon::internal::mpi::parts_of(8, world.size()))[static_cast<std::size_t>(world.rank())];
  auto const box = "0[0:3," + std::to_string(first) + ":" + std::to_string(first + part) + "]";
  CHECK(contents ==
        std::map<std::string, std::string>{
            {world.size() == 1 ? "0" : box, "float32 \"a=3 b=" + std::to_string(part) + "\""}});
}

TEST_CASE("a folder keeps the requested number of checkpoints") {
  World const world;
  Folder const folder(world);
  auto const generations = [&] {
    barrier(world.group());
    std::string text;
    for (auto const& one : tenon::internal::checkpoints::generations_in(folder, "load"))
      text += one.path.filename().string() + (one.is_committed ? " " : "? ");
    barrier(world.group());
    return text;
  };
  for (int step = 1; step < 5; ++step)
    save_shards(folder, std::tuple(std::int64_t(step)), world, {.keep = 2});
  CHECK(generations() == "000003 000004 ");
  auto const step_of = [&](std::filesystem::path const& path) {
    return std::get<0>(load_shards(path, std::tuple(std::int64_t(0)), world));
  };
  CHECK(step_of(folder) == 4);
  CHECK(step_of(folder / "000003") == 3);
  barrier(world.group());
  if (world.rank() == 0) std::filesystem::create_directory(folder / "000007");  // of a killed save
  CHECK(generations() == "000003 000004 000007? ");
  CHECK(step_of(folder) == 4);
  save_shards(folder, std::tuple(std::int64_t(8)), world);
  CHECK(generations() == "000008 ");
}

}  // namespace checkpoint_test
