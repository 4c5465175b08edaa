#include "ranks.hpp"

namespace moves_test {

using namespace ranks;

namespace {

using Rows = Float64<"n d=2">;

/// The loss of a replicated value; each element has a different derivative.
Float64<""> cubes(Rows const& y) { return sum(y * y * y); }

/// The loss of values that differ between ranks.
Float64<""> cubes_of_all(Rows const& y, Group const& group) { return all_reduce(cubes(y), group); }

bool same(Rows const& a, Rows const& b) {
  if (a.sizes() != b.sizes()) return false;
  for (std::int64_t i = 0; i < a.size(); ++i)
    if (std::abs(a.data()[i] - b.data()[i]) > 1e-9) return false;
  return true;
}

double const enough = 1e-4;

}  // namespace

TEST_CASE("all_gather concatenates the rows of all ranks in order, for uneven and empty shards") {
  World const world;
  std::int64_t const r = world.rank(), n = world.size();
  Rows const own = rows(r * (r - 1) / 2, r);  // r rows: rank 0 has none
  auto const all = all_gather<"n">(own * 1.0, world.group());
  static_assert(shape_of<decltype(all)> == "n=_ d=2");
  REQUIRE(size<"n">(all) == n * (n - 1) / 2);
  CHECK(same(all, rows(0, n * (n - 1) / 2)));
  CHECK(worst_gradient([&](Rows const& x) { return cubes(all_gather<"n">(x, world.group())); }, own,
                       world.group()) < enough);
}

TEST_CASE("all_gather along the second axis concatenates the shards of each row") {
  World const world;
  std::int64_t const n = world.size();
  Rows const own = rows(world.rank() * 3, 3);
  auto const all = all_gather<"d">(own, world.group());
  static_assert(shape_of<decltype(all)> == "n d=_");
  REQUIRE(size<"d">(all) == 2 * n);
  for (std::int64_t r = 0; r < n; ++r) CHECK(all(1, 2 * r + 1) == rows(r * 3, 3)(1, 1));
  auto const part = part_of<"d">(all, world.group());
  CHECK(same(as<"n d=2">(part), own));
  auto const sum_of_parts = reduce_scatter<"d">(all, world.group());
  CHECK(same(as<"n d=2">(sum_of_parts), own * double(n)));
}

TEST_CASE("part_of takes a shard of a replicated value; reduce_scatter, of a sum over ranks") {
  World const world;
  Group const& group = world.group();
  Rows const whole = rows(0, 5), own = rows(world.rank(), 5);
  auto const parts = tenon::internal::mpi::parts_of(5, group.size());
  auto const mine = static_cast<std::size_t>(group.rank());
  auto const first = tenon::internal::mpi::starts_of(parts)[mine];
  CHECK(same(part_of<"n">(whole, group), rows(first, parts[mine])));
  CHECK(worst_gradient([&](Rows const& x) { return cubes_of_all(part_of<"n">(x, group), group); },
                       whole, group, true) < enough);
  double const n = group.size();
  CHECK(same(reduce_scatter<"n">(own, group), rows(first, parts[mine]) * n + n * (n - 1)));
  CHECK(worst_gradient(
            [&](Rows const& x) { return cubes_of_all(reduce_scatter<"n">(x, group), group); }, own,
            group) < enough);
}

TEST_CASE("a gradient that only some ranks record throws if others would wait") {
  World const world;
  if (world.size() == 1) return;
  auto const loss = [&](Rows const& w) {
    Rows const other = rows(0, 4);
    return sum(scatter<"n">(world.rank() == 0 ? w : other, 0, world.group()));
  };
  CHECK_THROWS_AS(grad(loss)(rows(0, 4)), CommunicationError);
}

TEST_CASE("broadcast sends the value of the root") {
  World const world;
  Group const& group = world.group();
  int const root = group.size() - 1;
  Rows const own = rows(group.rank(), group.rank() + 1);
  CHECK(same(broadcast(own, root, group), rows(root, root + 1)));
  CHECK(worst_gradient([&](Rows const& x) { return cubes(broadcast(x, root, group)); }, own,
                       group) < enough);
  CHECK(same(scatter<"n">(own, root, group), rows(root + group.rank(), 1)));
  CHECK(worst_gradient(
            [&](Rows const& x) { return cubes_of_all(scatter<"n">(x, root, group), group); }, own,
            group) < enough);
  auto const gathered = gather<"n">(rows(group.rank() * 2, 2), root, group);
  CHECK(same(gathered, rows(0, group.rank() == root ? 2 * group.size() : 0)));
  CHECK(worst_gradient(
            [&](Rows const& x) { return cubes_of_all(gather<"n">(x, root, group), group); }, own,
            group) < enough);
  CHECK_THROWS_WITH_AS((void)broadcast(own, group.size(), group), doctest::Contains("root"),
                       ValueError);
}

TEST_CASE("all_to_all shards another axis, and its inverse restores the first one") {
  World const world;
  Group const& group = world.group();
  std::int64_t const n = group.size(), rank = group.rank();
  Rows const own = rows(rank * 5, 5);
  auto const turned = all_to_all<"n", "d">(own, group);
  static_assert(shape_of<decltype(turned)> == "n=_ d=_");
  auto const parts = tenon::internal::mpi::parts_of(5, group.size());
  auto const first = tenon::internal::mpi::starts_of(parts)[static_cast<std::size_t>(rank)];
  REQUIRE(size<"n">(turned) == parts[static_cast<std::size_t>(rank)]);
  REQUIRE(size<"d">(turned) == 2 * n);
  for (std::int64_t r = 0; r < n; ++r)
    for (std::int64_t i = 0; i < size<"n">(turned); ++i)
      CHECK(turned(i, 2 * r + 1) == rows(r * 5 + first + i, 1)(0, 1));
  CHECK(same(as<"n d=2">(all_to_all<"d", "n">(turned, group)), own));
  CHECK(worst_gradient(
            [&](Rows const& x) { return cubes_of_all(all_to_all<"n", "n">(x, group), group); }, own,
            group) < enough);
}

TEST_CASE("shift in a ring and without wrap-around") {
  World const world;
  Group const& group = world.group();
  int const n = group.size(), rank = group.rank();
  Rows const own = rows(rank, rank + 1);
  int const before = (rank + n - 1) % n;
  CHECK(same(shift(own, 1, group), rows(before, before + 1)));
  CHECK(same(shift(own, n + 1, group), rows(before, before + 1)));
  Rows const open = shift(own, 1, group, Ends::boundary);
  CHECK(same(open, rank == 0 ? rows(0, 1) * 0.0 : rows(before, before + 1) * 1.0));
  for (Ends const ends : {Ends::ring, Ends::boundary})
    CHECK(worst_gradient(
              [&](Rows const& x) { return cubes_of_all(shift(x, -1, group, ends), group); }, own,
              group) < enough);
  if (n == 1) return;
  if (rank == 0) send(own * 2.0, n - 1, group);
  if (rank == n - 1) CHECK(same(receive<Rows>(0, group), rows(0, 1) * 2.0));
  barrier(group);
}

TEST_CASE("a step of the heat equation reads the edges of the neighbours") {
  World const world;
  Group const& group = world.group();
  std::int64_t const first = 4 * group.rank();
  auto const heat = [](auto const& x) { return 0.5 * x * x; };
  Float64<"x"> u = heat(iota<Float64<"x">>(4) + static_cast<double>(first));
  auto const left = shift(slice<"x", -1, to_end>(u), 1, group, Ends::boundary);
  auto const right = shift(slice<"x", 0, 1>(u), -1, group, Ends::boundary);
  auto const whole = concat<"x">(left, u, right);
  static_assert(shape_of<decltype(whole)> == "x=x+2");
  u = slice<"x", 0, -2>(whole) - 2.0 * u + slice<"x", 2, to_end>(whole);
  CHECK(size<"x">(u) == 4);
  CHECK((u(1) == 1 && u(2) == 1));
  if (group.rank() > 0) CHECK(u(0) == 1);
}

}  // namespace moves_test
