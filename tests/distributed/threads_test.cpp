// Threads of a rank that communicate: one owns a group, and one at a time calls MPI. (The overlaps
// are made by joining a thread within a call, not by time.)
#include "ranks.hpp"

#include <array>
#include <latch>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <tenon/distributed/collectives/pending.hpp>

namespace threads_test {

using namespace ranks;

/// The message of what `work` throws in another thread; "" if it throws nothing.
template <class F>
std::string refusal_in_thread(F const& work) {
  std::string words;
  std::thread other([&] {
    try {
      work();
    } catch (CommunicationError const& error) {
      words = error.what();
    }
  });
  other.join();
  return words;
}

bool contains(std::string const& text, std::string_view words) {
  return text.find(words) != text.npos;
}

TEST_CASE("a group is used by the first thread that communicates in it") {
  World const world;
  if (world.size() == 1) return;
  Group const group = world.group().split(0, 0, "own"), copy = group;
  barrier(group);
  std::string const words =
      "expected the thread that communicates in group 'own', got another one: "
      "split a group for each thread, or detach_from_thread() before";
  auto const sum = [&] { (void)all_reduce(Float64<"">(1), copy); };
  CHECK(contains(refusal_in_thread(sum), "tenon::all_reduce: " + words + " (threads_test.cpp:"));
  auto const shifted = [&] { (void)shift(Float64<"">(1), 1, group); };
  CHECK(contains(refusal_in_thread(shifted), "tenon::shift: " + words));
  auto const sent = [&] { send(Float64<"">(1), (group.rank() + 1) % group.size(), group); };
  CHECK(contains(refusal_in_thread(sent), "tenon::send: " + words));
  auto const received = [&] { (void)receive<Float64<"">>(group.rank() == 0 ? 1 : 0, group); };
  CHECK(contains(refusal_in_thread(received), "tenon::receive: " + words));
  CHECK(all_reduce(Float64<"">(1), group).item() == world.size());  // its owner goes on
  group.detach_from_thread();
  CHECK(refusal_in_thread(sum).empty());
  CHECK_THROWS_AS(sum(), CommunicationError);  // the owner is the thread that has ended
}

TEST_CASE("of two threads that call one group at once, one is refused on each rank") {
  World const world;
  if (world.size() == 1) return;
  Group const group = world.group().split(0, 0, "own");
  std::latch start(2);
  std::array<std::string, 2> words;
  auto const sums = [&](std::size_t i) {
    words[i] = refusal_in_thread([&] {
      start.arrive_and_wait();
      for (int k = 0; k < 20; ++k) (void)all_reduce(Float64<"">(1), group);
    });
  };
  std::thread first(sums, 0);
  sums(1);
  first.join();
  CHECK(words[0].empty() != words[1].empty());
  CHECK(contains(words[0] + words[1], "expected the thread that communicates in group 'own'"));
}

TEST_CASE("threads that communicate in turn have groups of their own") {
  World const world;
  Group const first = world.group().split(0, 0, "first"), second = first.split(0, 0, "second");
  first.detach_from_thread();
  for (Group const& group : {first, second}) {
    double total = 0;
    auto const sum = [&] {
      auto pending = begin_all_reduce(Float64<"">(1), group);
      total = pending.wait().item() +
              grad([&](Float64<""> const& x) { return all_reduce(x * x, group); })(Float64<"">(2))
                  .item();
    };
    CHECK(refusal_in_thread(sum) == "");
    CHECK(total == world.size() + 4);
  }
}

TEST_CASE("two threads of a rank are not in collectives at the same time") {
  World const world;
  if (world.size() == 1) return;
  Group const other = world.group().split(0, 0, "other");
  auto pending = begin_all_reduce(Float64<"">(1), world.group());
  using Sum = decltype(pending);
  auto moved = begin_all_reduce(Float64<"">(1), world.group());
  auto dropped = std::make_unique<Sum>(begin_all_reduce(Float64<"">(1), world.group()));
  auto const left = [] { return tenon::internal::mpi::abandoned_requests().size(); };
  std::size_t const left_before = left();
  std::size_t left_then = 0;
  std::string in_other, in_wait, in_unwound;
  tenon::internal::mpi::Details const differs{
      static_cast<std::uint64_t>(world.rank()), [&] {  // called within the comparison of the calls
        in_other = refusal_in_thread([&] { barrier(other); });
        in_wait = refusal_in_thread([&] { (void)pending.is_done(); });
        in_unwound = refusal_in_thread([&] {
          Sum taken = std::move(moved);
          (void)taken.is_done();
        });
        CHECK(refusal_in_thread([&] { dropped.reset(); }) == "");
        left_then = left();
        return std::string("its own");
      }};
  CHECK_THROWS_WITH_AS(tenon::internal::mpi::agree(world.group(), {.operation = "a test"}, differs),
                       doctest::Contains("tenon::a test: expected one call on all ranks"),
                       CommunicationError);
  std::string const words =
      "expected one thread of a rank in collectives at a time, got another "
      "one in group '";
  std::string const advice = "': make the calls in one thread, or one after the other (";
  CHECK(contains(in_other, "tenon::barrier: " + words + "other" + advice + "threads_test.cpp:"));
  CHECK(all_reduce(Float64<"">(1), other).item() == world.size());  // its owner is no other thread
  CHECK(contains(in_wait, "tenon::begin_all_reduce: " + words + "world" + advice));
  CHECK(contains(in_unwound, "tenon::begin_all_reduce: " + words + "world" + advice));
  CHECK(left_then == left_before + 2);  // neither waits nor calls MPI
  CHECK(pending.wait().item() == world.size());
  while (left() > left_before) tenon::internal::mpi::release_abandoned_requests();
}

}  // namespace threads_test
