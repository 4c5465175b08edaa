// Functions that help to find differences between ranks.
#include "ranks.hpp"

#include <limits>
#include <optional>
#include <sstream>
#include <vector>

#include <tenon/distributed/collectives/assert_same.hpp>
#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/sharding/reshard.hpp>
#include <tenon/distributed/sharding/sharding_table.hpp>

namespace debugging_test {

using namespace ranks;

namespace {

struct Layers {
  Linear<"in=3", "out=2"> first;
  std::vector<Float64<"n d=2">> more;
  Frozen<BFloat16<"n">> constant;
  std::optional<std::int32_t> steps;
  Key key{7};
};

Layers layers() {
  Layers all;
  all.more = {rows(0, 4), rows(1, 3)};
  all.constant.value = ones<BFloat16<"n">>(5);
  all.steps = 3;
  return all;
}

/// The message of assert_same if the last rank has a different value, without the source location.
template <class X>
std::string message_of(X const& x, Group const& group) {
  try {
    assert_same(x, group);
  } catch (ValueError const& error) {
    std::string text = error.what();
    std::size_t const place = text.find(" (debugging_test.cpp:");
    if (place != text.npos) text.erase(place, text.find(')', place) + 1 - place);
    return text;
  }
  return "nothing";
}

}  // namespace

TEST_CASE("equal values pass") {
  World const world;
  assert_same(layers(), world.group());
  assert_same(rows(0, 3) * 2.0, world.group());
  assert_same(3.5f, world.group());
  Float32<"2"> const nan{std::numeric_limits<float>::quiet_NaN(), -0.0f};
  assert_same(nan, world.group());
  Layers own = layers();
  if (world.size() == 1) own.more[0](0, 0) = 2;
  CHECK(message_of(own, Group()) == "nothing");
}

TEST_CASE("differences are reported on all ranks") {
  World const world;
  if (world.size() == 1) return;
  Group const& group = world.group();
  bool const odd = world.rank() == world.size() - 1;
  std::string const who = "\n  rank " + std::to_string(world.size() - 1) + ": ";
  std::string const begin = "expected one value on all ranks of group 'world', got ";
  Layers other = layers();
  if (odd) other.more[1](2, 1) += 0.5, other.constant.value = zeros<BFloat16<"n">>(5);
  CHECK(message_of(other, group) == "tenon::assert_same: 'more.1': " + begin +
                                        "another in 2 of 7 leaves" + who +
                                        "8.5 at (2, 1), not 8.0 as rank 0");
  auto const longer = rows(0, odd ? 3 : 4);
  CHECK(message_of(longer, group) == "tenon::assert_same: " + begin + "another in 1 of 1 leaf" +
                                         who +
                                         "float64 \"n=3 d=2\", not float64 \"n=4 d=2\" as rank 0");
  CHECK(message_of(odd ? -0.0 : 0.0, group) == "tenon::assert_same: " + begin +
                                                   "another in 1 of 1 leaf" + who +
                                                   "-0.0, not 0.0 as rank 0");
  CHECK(message_of(Key(odd ? 2 : 1), group).find("Key of words 2 0, not Key of words 1 0") < 200);
  if (odd) other = layers(), other.more.pop_back();
  CHECK_THROWS_AS(assert_same(other, group), CommunicationError);
}

TEST_CASE("the majority is the reference, and equal deviations are reported once") {
  World const world;
  if (world.size() < 4) return;
  std::int32_t const number = world.rank() < 2 ? 7 : 0;
  std::string const text = message_of(number, world.group());
  if (world.size() == 4) CHECK(text.find("\n  ranks 2-3: 0, not 7 as rank 0") != text.npos);
  else CHECK(text.find("\n  ranks 0-1: 7, not 0 as rank 2") != text.npos);
}

TEST_CASE("ranks print in order, and equal lines are printed once") {
  World const world;
  std::ostringstream expected;
  if (world.size() == 1) expected << "rank 0: step 1\nrank 0: loss 0\n";
  else if (world.size() == 2) expected << "ranks 0-1: step 1\nranks 0-1: loss 0\n";
  else
    expected << "ranks 0-1: step 1\nranks 0-1: loss 0\n"
             << (world.size() == 3
                     ? "rank 2: step 1\nrank 2: loss 1\n"
                     : "ranks 2-" + std::to_string(world.size() - 1) + ": step 1\n" + "ranks 2-" +
                           std::to_string(world.size() - 1) + ": loss 1\n");
  CHECK(in_order(world.rank() < 2 ? "step 1\nloss 0" : "step 1\nloss 1", world.group()) ==
        expected.str());
  CHECK(in_order("", world.group()).empty());
  CHECK(tenon::internal::mpi::ranks_text({0, 1, 2, 5, 7, 8}) == "ranks 0-2 5 7-8");
  print_in_order(Float32<"2">{1.0f, 2.0f}, world.group());
}

TEST_CASE("a table of the sharding of a model") {
  World const world;
  Mesh<"tp"> const mesh(world);
  struct Model {
    Sharded<double, "in=5 hidden=16@tp"> up;
    Sharded<float, "hidden=16"> bias;
    Frozen<Float32<"3">> constant;
  };
  Model model;
  model.up = shard<"in hidden@tp">(mesh, ones<Float64<"in=5 hidden=16">>());
  model.bias = replicated(mesh, ones<Float32<"hidden=16">>());
  std::string const table = sharding_table(model);
  std::int64_t const own = size<"hidden">(model.up.unchecked_local);
  std::string const here = std::to_string(own), bytes = std::to_string(own * 40);
  CHECK(table.find("up        float64  in=5 hidden=16@tp  tp") != table.npos);
  CHECK(table.find("5 " + here) != table.npos);
  CHECK(table.find(bytes) != table.npos);
  CHECK(table.find("bias      float32  hidden=16          replicated") != table.npos);
  CHECK(table.find("constant  float32  3                  each its own") != table.npos);
  CHECK(table.find("  " + std::to_string(own * 40 + 76) + "           716\n") != table.npos);
  print_shardings(model);
}

}  // namespace debugging_test
