// Messages in transit when an exception is thrown affect neither reused memory nor later messages.

#include <tenon/distributed/collectives/pending.hpp>
#include <tenon/distributed/context_parallel/ring.hpp>

#include "ranks.hpp"

using namespace ranks;

namespace {

using Numbers = Float32<"n">;
using Rows = Float64<"batch key head feature">;
constexpr std::int64_t many = 1 << 16;

/// True if all elements have this value.
template <TensorType X>
bool are_all(X const& x, double value) {
  return min(x).item() == value && max(x).item() == value;
}

}  // namespace

TEST_CASE("a message received after an exception does not write reused memory") {
  World const world;
  Group const& all = world.group();
  if (all.size() == 1) return;  // a single rank sends nothing
  int const next = (all.rank() + 1) % all.size();
  int const previous = (all.rank() + all.size() - 1) % all.size();
  tenon::internal::mpi::Call const call{.operation = "test"};
  auto const give_up = [&] {
    Numbers x = zeros<Numbers>(many);
    tenon::internal::mpi::Transfers transfers(all, call);
    transfers.receive(x, previous, 0);
    throw Error("meanwhile");
  };
  std::size_t const left_before = tenon::internal::mpi::abandoned_requests().size();
  CHECK_THROWS_AS(give_up(), Error);
  CHECK(tenon::internal::mpi::abandoned_requests().size() == left_before + 1);
  auto const same_memory = ones<Numbers>(many);
  tenon::internal::mpi::Transfers late(all, call);
  late.send(zeros<Numbers>(many), next, 0);
  late.wait();
  barrier(all);
  CHECK(are_all(same_memory, 1));
  barrier(all);  // completes the pending messages
  CHECK(tenon::internal::mpi::abandoned_requests().size() == left_before);
}

TEST_CASE("a pending sum after an exception does not write reused memory") {
  World const world;
  Group const& all = world.group();
  auto const give_up = [&] {
    auto const pending = begin_all_reduce(zeros<Numbers>(many), all);
    throw Error("meanwhile");
  };
  CHECK_THROWS_AS(give_up(), Error);
  auto const same_memory = ones<Numbers>(many);
  barrier(all);
  Numbers const sum = all_reduce(same_memory, all);
  CHECK(are_all(same_memory, 1));
  CHECK(are_all(sum, all.size()));
}

TEST_CASE("a pending sum after an exception outlives its group") {
  World const world;
  Group const& all = world.group();
  auto const give_up = [&] {
    Group const own = all.split(0, 0, "own");
    auto const pending = begin_all_reduce(zeros<Numbers>(1 << 21), own);
    throw Error("meanwhile");
  };
  CHECK_THROWS_AS(give_up(), Error);
  while (!tenon::internal::mpi::abandoned_requests().empty())
    tenon::internal::mpi::release_abandoned_requests();
  CHECK(are_all(all_reduce(ones<Numbers>(many), all), all.size()));
}

TEST_CASE("a ring that was abandoned at a different step on each rank completes the next time") {
  World const world;
  Group const& all = world.group();
  constexpr std::int64_t keys = 100;
  tenon::internal::mpi::Ring const ring{all,
                                        std::vector<std::int64_t>(std::size_t(all.size()), keys)};
  tenon::internal::mpi::Call const call{.operation = "test"};
  auto const go_round = [&](double first, int last_step) {
    tenon::internal::mpi::agree(all, call);
    Rows const own = first + all.rank() + zeros<Rows>(1, keys, 1, 1);
    tenon::internal::mpi::around(
        ring, call, tenon::internal::mpi::KeysAndValues<Rows>{own, -own},
        [&](int step, auto const& block, tenon::internal::mpi::Transfers&) {
          CHECK(are_all(block.keys, first + ring.owner(step)));
          CHECK(are_all(block.values, -first - ring.owner(step)));
          if (step == last_step) throw Error("meanwhile");
        });
  };
  CHECK_THROWS_AS(go_round(100, all.rank()), Error);
  go_round(200, -1);
}

TEST_CASE("messages abandoned by an exception are not matched by later collectives") {
  World const world;
  Group const& all = world.group();
  if (all.size() != 2) return;  // barriers of more ranks than cores are slow
  int const next = (all.rank() + 1) % all.size();
  int const previous = (all.rank() + all.size() - 1) % all.size();
  tenon::internal::mpi::Call const call{.operation = "test"};
  auto const give_up = [&] {
    Numbers x = zeros<Numbers>(4);
    tenon::internal::mpi::Transfers transfers(all, call);
    transfers.receive(x, previous, 0);
    throw Error("meanwhile");
  };
  CHECK_THROWS_AS(give_up(), Error);
  for (int i = 0; i < 3500; ++i) barrier(all);  // enough that 15-bit tags would wrap around
  Numbers received = zeros<Numbers>(4);
  tenon::internal::mpi::Transfers transfers(all, call);
  transfers.receive(received, previous, 0);
  transfers.send(ones<Numbers>(4), next, 0);
  transfers.wait();
  CHECK(are_all(received, 1));
}

TEST_CASE("after a message of the wrong type the next one is received correctly") {
  World const world;
  Group const& all = world.group();
  using Three = Float64<"n=3">;
  if (all.size() > 1 && all.rank() == 0) {
    send(Float32<"n=3">{1, 2, 3}, 1, all);
    send(Three{4, 5, 6}, 1, all);
  } else if (all.rank() == 1) {
    CHECK_THROWS_AS(receive<Three>(0, all), CommunicationError);
    CHECK(max(abs(receive<Three>(0, all) - Three{4, 5, 6})).item() == 0);
  }
}
