// The bytes that collectives send are counted and are the minimum.

#include <tenon/distributed/collectives/collectives.hpp>
#include <tenon/distributed/collectives/pending.hpp>
#include <tenon/distributed/communication/traffic.hpp>

#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

#include "ranks.hpp"

namespace traffic_test {

using namespace tenon;
using tenon::mpi::Sends;

namespace {

using Numbers = Float32<"n">;
constexpr std::int64_t bytes_of_one = 4;

Numbers numbers(std::int64_t count) { return ones<Numbers>(count); }

/// The bytes that `f` sends by one kind of operation; by any other it sends none.
template <class F>
tenon::internal::mpi::TransferCounts moved_by(Sends way, F const& f) {
  tenon::mpi::Traffic const traffic;
  f();
  CHECK(traffic.all().sent == traffic.by(way).sent);
  CHECK(traffic.all().received == traffic.by(way).received);
  return traffic.by(way);
}

/// (n - 1) / n of a number of bytes, sent and received, in a number of calls.
tenon::internal::mpi::TransferCounts most_of(std::int64_t bytes, int ranks,
                                             std::int64_t calls = 1) {
  std::int64_t const moved = ranks == 1 ? 0 : calls * bytes * (ranks - 1) / ranks;
  return {ranks == 1 ? 0 : calls, moved, moved};
}

}  // namespace

TEST_CASE("all_reduce sends 2 (n - 1) / n of its bytes, its backward none") {
  World const world;
  Group const& all = world.group();
  int const n = all.size();
  auto const x = numbers(24);  // divisible by 1, 2, 3, 4 and 8 ranks
  auto const expected = tenon::internal::mpi::bytes_of_all_reduce(24 * bytes_of_one, n);
  CHECK(expected * n == 2 * (n - 1) * 24 * bytes_of_one);
  auto const sum = moved_by(Sends::all_reduce, [&] { (void)all_reduce(x, all); });
  CHECK(sum == tenon::internal::mpi::TransferCounts{n > 1 ? 1 : 0, expected, expected});
  CHECK(moved_by(Sends::all_reduce, [&] { (void)begin_all_reduce(x, all).wait(); }) == sum);
  auto const loss = [&](Numbers const& v) { return tenon::sum(all_reduce(v, all)); };
  CHECK(moved_by(Sends::all_reduce, [&] { (void)grad(loss)(x); }) == sum);
  auto const copied = [&](Numbers const& v) { return tenon::sum(copy_to(v, all)); };
  CHECK(moved_by(Sends::all_reduce, [&] { (void)copied(x); }) ==
        tenon::internal::mpi::TransferCounts{});
  CHECK(moved_by(Sends::all_reduce, [&] { (void)grad(copied)(x); }) == sum);
}

TEST_CASE("all_gather and the like send (n - 1) / n, forward or backward") {
  World const world;
  Group const& all = world.group();
  int const n = all.size();
  auto const whole = numbers(24), part = numbers(24 / n);
  tenon::internal::mpi::TransferCounts const most = most_of(24 * bytes_of_one, n), none;
  auto const with_gradient = [&](auto const& f, auto const& x) {
    return [&] { (void)grad([&](Numbers const& v) { return sum(f(v)); })(x); };
  };
  auto const gather = [&](Numbers const& x) { return all_gather<"n">(x, all); };
  CHECK(moved_by(Sends::all_gather, [&] { (void)gather(part); }) == most);
  CHECK(moved_by(Sends::all_gather, with_gradient(gather, part)) == most);
  auto const cut = [&](Numbers const& x) { return part_of<"n">(x, all); };
  CHECK(moved_by(Sends::all_gather, [&] { (void)cut(whole); }) == none);
  CHECK(moved_by(Sends::all_gather, with_gradient(cut, whole)) == most);
  auto const scattered = [&](Numbers const& x) { return reduce_scatter<"n">(x, all); };
  CHECK(moved_by(Sends::reduce_scatter, [&] { (void)scattered(whole); }) == most);
  tenon::mpi::Traffic const traffic;
  with_gradient(scattered, whole)();
  CHECK(traffic.by(Sends::reduce_scatter) == most);
  CHECK(traffic.by(Sends::all_gather) == most);
  auto const turned = [&](Numbers const& x) { return all_to_all<"n", "n">(x, all); };
  CHECK(moved_by(Sends::exchange, [&] { (void)turned(whole); }) == most);
  CHECK(moved_by(Sends::exchange, with_gradient(turned, whole)) ==
        most_of(24 * bytes_of_one, n, 2));
}

TEST_CASE("values that are recorded only under stop_gradient send nothing backward") {
  World const world;
  Group const& all = world.group();
  tenon::internal::mpi::TransferCounts const once =
      moved_by(Sends::all_reduce, [&] { (void)all_reduce(numbers(24), all); });
  auto const sent_by_gradient = [&](auto const& f) {
    auto const loss = [&](Numbers const& v) { return sum(v) + sum(copy_to(f(v), all)); };
    return moved_by(Sends::all_reduce, [&] { (void)grad(loss)(numbers(24)); });
  };
  CHECK(sent_by_gradient([](auto const& v) { return stop_gradient(v); }) ==
        tenon::internal::mpi::TransferCounts{});
  CHECK(sent_by_gradient([](auto const& v) { return exp(stop_gradient(v)) * 2.0f; }) ==
        tenon::internal::mpi::TransferCounts{});
  auto const shares = [](auto const& v) { return v / stop_gradient(sum<"n">(v, keep)); };
  CHECK(sent_by_gradient(shares) == once);
  auto const shares_stopped = [&](auto const& v) {
    return stop_gradient(shares(v)) - mean<"n">(stop_gradient(v), keep);
  };
  CHECK(sent_by_gradient(shares_stopped) == tenon::internal::mpi::TransferCounts{});
  CHECK(sent_by_gradient(
            [](auto const& v) { return where(v > 0.0f, stop_gradient(v), 2.0f * v); }) == once);
}

TEST_CASE("uneven shards are counted exactly") {
  World const world;
  Group const& all = world.group();
  int const n = all.size(), rank = all.rank();
  tenon::mpi::Traffic const traffic;
  auto const gathered = all_gather<"n">(numbers(rank), all);
  CHECK(gathered.size() == n * (n - 1) / 2);
  CHECK(traffic.sent() == rank * (n - 1) * bytes_of_one);
  CHECK(traffic.received() == (n * (n - 1) / 2 - rank) * bytes_of_one);
}

TEST_CASE("broadcast sends a value once, and shift sends its argument") {
  World const world;
  Group const& all = world.group();
  bool const alone = all.size() == 1, is_root = all.rank() == 0;
  auto const sent = moved_by(Sends::broadcast, [&] { (void)broadcast(numbers(6), 0, all); });
  CHECK(sent.sent == (is_root && !alone ? 6 * bytes_of_one : 0));
  CHECK(sent.received == (is_root ? 0 : 6 * bytes_of_one));
  auto const shifted = moved_by(Sends::exchange, [&] { (void)shift(numbers(6), 1, all); });
  CHECK(shifted.sent == (alone ? 0 : 6 * bytes_of_one));
  CHECK(shifted.received == shifted.sent);
}

TEST_CASE("the report of traffic has one line per operation, and agreements separately") {
  World const world;
  Group const& all = world.group();
  tenon::mpi::Traffic const traffic;
  CHECK(traffic.text() == "");
  (void)all_reduce(numbers(24), all);
  std::string const bytes = std::to_string(traffic.sent());
  if (all.size() == 1) CHECK(traffic.text() == "");
  else
    CHECK(traffic.text().starts_with("all_reduce: " + bytes + " bytes sent, " + bytes +
                                     " received, calls: 1\nagreement: "));
  CHECK((traffic.by(Sends::agreement).sent > 0) == (all.size() > 1));
}

}  // namespace traffic_test
