// Checkpoints that cannot be written, or that do not fit: every rank gets an error, and none
// blocks.

#include <doctest/doctest.h>

#include <cerrno>
#include <fstream>

#include "checkpoint_trees.hpp"

#if defined(__linux__)

#include <sys/syscall.h>
#include <unistd.h>

namespace {
bool disk_is_full = false;
}

// Replaces the function of the C library.
extern "C" int fsync(int file) {
  if (!disk_is_full) return static_cast<int>(::syscall(SYS_fsync, file));
  errno = ENOSPC;
  return -1;
}

#endif

namespace checkpoint_faults_test {

using namespace checkpoint_trees;

namespace {

/// The prefix of an error that only some ranks have.
std::string on_rank(World const& world, int rank) {
  return world.size() == 1 ? "" : " (rank " + std::to_string(rank) + ")";
}

/// One rank replaces a substring of a file.
void replace(World const& world, std::filesystem::path const& path, std::string const& part,
             std::string const& by) {
  barrier(world.group());
  if (world.rank() == 0) {
    std::string text = read_text(path);
    auto const at = text.find(part);
    REQUIRE(at != text.npos);
    std::ofstream(path, std::ios::binary) << text.replace(at, part.size(), by);
  }
  barrier(world.group());
}

std::string const index_file = " (000001/index.json)";

}  // namespace

#if defined(__linux__)

TEST_CASE("a full disk on one rank is an error on all, and the previous checkpoint is kept") {
  World const world;
  auto const mesh = mesh_of(world.group());
  Folder const folder(world);
  save_shards(folder, stamped(placed<Small>(mesh)), mesh);
  for (int rank = 0; rank < world.size(); ++rank) {
    disk_is_full = world.rank() == rank;
    auto const words =
        words_of<FileError>([&] { save_shards(folder, stamped(placed<Small>(mesh), 2), mesh); });
    disk_is_full = false;
    std::string const where =
        rank == 0 ? "" : "000002/" + tenon::internal::checkpoints::shard_name(rank, world.size());
    CHECK(words.find("got No space left on device") != words.npos);
    CHECK(words.find(where) != words.npos);
    CHECK(words.ends_with(world.size() == 1 ? ")" : on_rank(world, rank)));
    CHECK(wrong_bytes(load_shards(folder, placed<Small>(mesh), mesh), world.group()) == 0);
    barrier(world.group());
    bool const is_left = std::filesystem::exists(folder / "000002/index.json");
    CHECK_FALSE(is_left);
    barrier(world.group());
  }
  save_shards(folder, stamped(placed<Small>(mesh), 2), mesh);
  CHECK(wrong_bytes(load_shards(folder, placed<Small>(mesh), mesh), world.group(), 2) == 0);
}

/// The bytes that this process has read so far, from files and other sources.
std::int64_t bytes_read() {
  std::ifstream file("/proc/self/io");
  std::string word;
  std::int64_t number = 0;
  file >> word >> number;
  return number;
}

TEST_CASE("a rank reads only what it needs") {
  World const world;
  auto const mesh = mesh_of(world.group());
  Folder const folder(world);
  using Big = std::tuple<Sharded<float, "a=2048@dp@tp b=512">>;
  using Columns = std::tuple<Sharded<float, "a=2048@dp b=512@tp">>;
  save_shards(folder, stamped(placed<Big>(mesh)), mesh);
  auto const read_for = [&](auto const& like) {
    std::int64_t const before = bytes_read();
    auto const tree = load_shards(folder, like, mesh);
    std::int64_t const bytes = bytes_read() - before;
    CHECK(wrong_bytes(tree, world.group()) == 0);
    return double(bytes) / (double(std::get<0>(tree).unchecked_local.size()) * 4);
  };
  CHECK(read_for(placed<Big>(mesh)) < 1.3);
  CHECK(read_for(placed<Columns>(mesh)) < mesh.size<"tp">() + 0.3);  // whole rows: of 2 KiB each
}

#endif

TEST_CASE("invalid folder names") {
  World const world;
  Folder const folder(world);
  if (world.rank() == 0) std::ofstream(folder / "file") << "x";
  barrier(world.group());
  auto const saving = [&](std::filesystem::path const& path,
                          SaveShardsOptions const& options = {}) {
    return words_of<Error>([&] { save_shards(path, Float32<"n">{1}, world, options); });
  };
  CHECK(saving(folder / "file/run") ==
        "tenon::save: expected a folder that can be written, got Not a directory (file/run)" +
            on_rank(world, 0));
  CHECK(saving(folder, {.keep = 0}) == "tenon::save_shards: 'keep': expected 1 or more, got 0");
  CHECK(loading<FileError>(folder / "none", Float32<"n">{1}, world) ==
        "tenon::load: expected a folder of checkpoints, got No such file or directory (none)" +
            on_rank(world, 0));
  auto const words = loading<FileError>(folder, Float32<"n">{1}, world);
  CHECK(words.starts_with("tenon::load: expected a checkpoint that is complete, got none"));
}

TEST_CASE("ranks that hold different trees") {
  World const world;
  Folder const folder(world);
  auto const saving = [&](auto const& tree) {
    return words_of<ValueError>([&] { save_shards(folder, tree, world); });
  };
  bool const is_last = world.rank() == world.size() - 1 && world.size() > 1;
  std::string const last = std::to_string(world.size() - 1);
  if (world.size() > 1) {
    CHECK(saving(std::tuple(std::int64_t(is_last))) ==
          "tenon::save_shards: '0': expected the same value on all ranks, got others on rank 0 and "
          "rank " +
              last + on_rank(world, 0));
    CHECK(saving(std::tuple(ones<Float32<"n=3 d">>(is_last ? 2 : 1))) ==
          "tenon::save_shards: '0': expected one tensor on all ranks, got float32 \"n=3 d=1\" on "
          "rank 0 and float32 \"n=3 d=2\" on rank " +
              last + on_rank(world, 0));
  }
}

TEST_CASE("a tensor with a shard on no rank is not saved") {
  World const world;
  Folder const folder(world);
  Mesh<"dp"> const mesh(world);
  auto const part = placed<Sharded<float, "a=64@dp">>(mesh);
  std::optional<Sharded<float, "a=64@dp">> held;
  if (world.rank() > 0) held = part;
  auto const words = words_of<ValueError>([&] { save_shards(folder, std::tuple(held), world); });
  if (world.size() == 1) CHECK(words == "nothing");
  else CHECK(words.starts_with("tenon::save_shards: '0': expected boxes that cover \"64\", got ["));
}

TEST_CASE("tensors that a tree needs and a checkpoint lacks") {
  World const world;
  Folder const folder(world);
  save_shards(folder, std::tuple(ones<Float32<"in=3">>(), Float64<"">(2.0)), world);
  using Want = std::tuple<Float32<"in=3">, Float64<"">>;
  CHECK(loading<Error>(folder, Want(), world) == "nothing");
  CHECK(loading<FileError>(folder, std::tuple(Float16<"in=3">(), Float64<"">()), world) ==
        "tenon::load: '0': expected float16 \"in=3\", got float32 \"in=3\"" + index_file);
  CHECK(loading<ShapeError>(folder, std::tuple(Float32<"in=4">(), Float64<"">()), world) ==
        "tenon::load: '0': expected float32 \"in=4\", got float32 \"in=3\"" + index_file);
  using Named = std::tuple<Float32<"out=3">, Float64<"">>;
  CHECK(loading<ShapeError>(folder, Named(), world) ==
        "tenon::load: '0': expected float32 \"out=3\", got float32 \"in=3\"" + index_file);
  CHECK(loading<Error>(folder, Named(), world, {.ignore_axis_names = true}) == "nothing");
  using More = std::tuple<Float32<"in=3">, Float64<"">, std::int32_t>;
  CHECK(loading<FileError>(folder, More(), world) ==
        "tenon::load: '2': expected int32 \"\", got no tensor of that name" + index_file);
  auto const kept = load_shards(folder, More({}, {}, 7), world, {.keep_missing = true});
  CHECK(std::get<2>(kept) == 7);
  CHECK(std::get<1>(kept).item() == 2);
  using Less = std::tuple<Float32<"in=3">>;
  CHECK(loading<FileError>(folder, Less(), world) ==
        "tenon::load: '1': expected no tensor of that name, got float64 \"\"" + index_file);
  CHECK(loading<Error>(folder, Less(), world, {.ignore_extra = true}) == "nothing");
}

TEST_CASE("damaged files") {
  World const world;
  auto const mesh = mesh_of(world.group());
  Folder const folder(world);
  auto const damaged = [&](std::string const& file, std::string const& part,
                           std::string const& by) {
    save_shards(folder, stamped(placed<Small>(mesh)), mesh);
    auto const last = tenon::internal::checkpoints::generations_in(folder, "load").back().path;
    replace(world, last / file, part, by);
    auto const words = loading<FileError>(folder, placed<Small>(mesh), world);
    return words.substr(0, words.find(" ("));
  };
  CHECK(damaged("index.json", "{", "[") == "tenon::load: expected '{', got '['");
  CHECK(damaged("index.json", "\"a=4 b=6\"", "\"a=4 b=\xff\"") ==
        "tenon::load: expected an index of UTF-8, got other bytes");
  CHECK(damaged("index.json", "\"shape\":[4,6]", "\"shape\":[5,6]").starts_with("tenon::load: 'w"));
  CHECK(damaged("index.json", "\"begin\":[0,0]", "\"begin\":[1,0]").starts_with("tenon::load: 'w"));
  CHECK(damaged("index.json", "\"F32\"", "\"F99\"") ==
        "tenon::load: 'bias': expected a dtype of safetensors, got another");
  CHECK(damaged("index.json", "\"bias\":\"shard", "\"bias\":\"../shard")
            .starts_with("tenon::load: expected the name of a file, got '../shard-0"));
  auto const shard = tenon::internal::checkpoints::shard_name(0, world.size());
  CHECK(damaged(shard, "\"F32\"", "\"F99\"") ==
        "tenon::load: expected a dtype of safetensors, got 'F99'");
  CHECK(damaged(shard, "\"F32\"", "\"I32\"").find("expected what the index says, got int32") !=
        std::string::npos);
  save_shards(folder, stamped(placed<Small>(mesh)), mesh);
  if (world.rank() == 0) {
    auto const path =
        tenon::internal::checkpoints::generations_in(folder, "load").back().path / shard;
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  }
  barrier(world.group());
  CHECK(loading<FileError>(folder, placed<Small>(mesh), world).starts_with("tenon::load: 'w"));
}

TEST_CASE("a shard behind a link is in the folder of the index, or refused") {
  World const world;
  auto const mesh = mesh_of(world.group());
  Folder const folder(world);
  save_shards(folder, stamped(placed<Small>(mesh)), mesh);
  std::string const shard = tenon::internal::checkpoints::shard_name(0, world.size());
  auto const link = [&](std::string const& from, std::string const& to) {
    if (world.rank() == 0) {
      std::filesystem::rename(folder / "000001" / from, folder / "000001" / to);
      std::filesystem::remove(folder / "000001" / shard);
      std::filesystem::create_symlink(to, folder / "000001" / shard);
    }
    barrier(world.group());
  };
  link(shard, "blob");
  CHECK(loading<Error>(folder, placed<Small>(mesh), world) == "nothing");
  link("blob", "../blob");
  CHECK(loading<FileError>(folder, placed<Small>(mesh), world)
            .starts_with("tenon::load: expected files in the folder of the index, got '" + shard +
                         "', a link to another (000001/index.json)"));
}

}  // namespace checkpoint_faults_test
