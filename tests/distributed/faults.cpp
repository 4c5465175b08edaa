#include <chrono>
#include <csignal>
#include <cstdlib>
#include <latch>
#include <stdexcept>
#include <string>
#include <thread>

#include <tenon/distributed/collectives/assert_same.hpp>
#include <tenon/distributed/collectives/collectives.hpp>
#include <tenon/distributed/collectives/exact_reduction.hpp>
#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/data_parallel/deterministic_sum.hpp>
#include <tenon/distributed/pipeline/pipeline.hpp>
#include <tenon/tenon.hpp>

#include "faults_of_calls.hpp"

// Programs with a fault on one rank. faults_test.sh runs them and checks their messages.

using namespace faults;

namespace {

/// A stage of a pipeline fails while its neighbours wait for its messages.
void fails_in_a_stage(Rank const& r) {
  auto const middle = [&](Rows const& w, Rows const& x) {
    if (r.odd) throw std::runtime_error("planted");
    return Rows(w * x);
  };
  (void)pipelined_value_and_grad(
      rows(2), 4, Stages(r.group), [](Rows const& w, int) { return w; }, middle,
      [](Rows const&, Rows const& x, int) { return sum(x); });
}

/// Meshes and groups that differ between ranks.
void makes_another_mesh(Rank const& r) {
  if (r.odd) (void)Mesh<"tp=2 dp=2">(r.world);
  else (void)Mesh<"dp=2 tp=2">(r.world);
}
void gives_another_name(Rank const& r) {
  Group const one = r.group.split(0, 0, r.odd ? "tp" : "dp");
  (void)all_reduce(rows(2), one);
}

/// Rank 0 sends more than rank 1 receives.
void sends_in_vain(Rank const& r) {
  if (r.group.rank() == 0)
    for (int i = 0; i < 3; ++i) send(rows(2), 1, r.group);
  if (r.odd) (void)receive<Rows>(0, r.group);
}

/// The faulty rank stops after the agreement, while the others wait within MPI.
void stops_within(Rank const& r) {
  tenon::internal::mpi::agree(r.group, {.operation = "a test"});
  if (r.odd) (void)std::raise(SIGSTOP);
  float x[4] = {};
  tenon::internal::mpi::all_reduce<op::sum>(x, 4, r.group);
}
void stops_unchecked(Rank const& r) {
  check_collectives(false);
  if (r.odd) (void)std::raise(SIGSTOP);
  barrier(r.group);
}

/// A replica diverges.
void diverges(Rank const& r) {
  struct Model {
    Rows first = rows(4), second = rows(3);
  } model;
  if (r.odd) model.second(2, 1) = 1.5f;
  assert_same(model, r.group);
}

/// No rank has micro-batch 1.
void misses_a_piece(Rank const& r) {
  DeterministicSum sum;
  if (!r.odd) sum.add(r.group.rank(), rows(2));
  (void)sum.mean(rows(2), r.group);
}

void differentiates(Rank const& r) {
  auto const loss = [&](Rows const& x) { return sum(copy_to(x, r.group)); };
  if (r.odd) (void)loss(rows(2));
  else (void)grad(loss)(rows(2));
}

/// Two groups are entered in different orders: a deadlock.
void crosses(Rank const& r) {
  Group const again = r.group.split(0, 0, "again");
  barrier(r.odd ? again : r.group);
  barrier(r.odd ? r.group : again);
}

void ends_by(std::string const& how) {
  if (how == "throw") throw std::runtime_error("planted");
  if (how == "exit") std::exit(0);
  if (how == "quick") std::_Exit(0);
  if (how == "kill") (void)std::raise(SIGKILL);
  if (how == "crash") std::signal(SIGSEGV, SIG_DFL), (void)std::raise(SIGSEGV);
  if (how == "abort") std::abort();
  if (how == "terminate") std::terminate();
  if (how == "stop") (void)std::raise(SIGSTOP);
  if (how == "sleep") std::this_thread::sleep_for(std::chrono::seconds(60));
}

/// The world ends while another thread is inside MPI, as far as the library knows.
void ends_beside_a_thread(Rank const& r) {
  if (!r.odd) return;
  std::latch inside(1);
  std::thread([&] {
    tenon::internal::mpi::ThreadInMpi const thread;
    inside.count_down();
    std::this_thread::sleep_for(std::chrono::hours(1));
  }).detach();
  inside.wait();
}

/// The faulty rank ends during the backward pass, in which the others wait.
void ends_in_backward(Rank const& r, std::string const& how) {
  auto const step = custom_vjp([](Rows const& x) { return x * 2.0f; },
                               [&](Rows const& dy, Rows const& y, Rows const&) {
                                 if (r.odd) ends_by(how);
                                 return Rows(dy * y);
                               });
  (void)grad([&](Rows const& x) { return sum(step(copy_to(x, r.group))); })(rows(2));
}

void play(std::string const& name, World& world) {
  Rank const rank{world};
  std::string const backward = "in backward: ";
  if (auto const all = faults_of_calls(); all.contains(name)) return all.at(name)(rank);
  if (auto const all = faults_of_trees(); all.contains(name)) return all.at(name)(rank);
  if (name == "other mesh") return makes_another_mesh(rank);
  if (name == "other name") return gives_another_name(rank);
  if (name == "unreceived") return sends_in_vain(rank);
  if (name == "stop within") return stops_within(rank);
  if (name == "stop unchecked") return stops_unchecked(rank);
  if (name == "stop at the end") return void(rank.odd && std::raise(SIGSTOP) != 0);
  if (name == "ends beside a thread") return ends_beside_a_thread(rank);
  if (name == "throw everywhere") throw std::runtime_error("planted\nand more");
  if (name == "throw each its own")
    throw std::runtime_error("planted " + std::to_string(world.rank()) + "\nand more");
  if (name == "gradient") return differentiates(rank);
  if (name == "stage") return fails_in_a_stage(rank);
  if (name == "crossed") return crosses(rank);
  if (name == "diverged") return diverges(rank);
  if (name == "pieces") return misses_a_piece(rank);
  if (name.starts_with(backward)) return ends_in_backward(rank, name.substr(backward.size()));
  if (name == "mesh") return (void)Mesh<"dp tp=2 pp=2">(world);
  if (name == "ends early" && rank.odd) return;
  if (rank.odd) ends_by(name);
  (void)all_reduce(rows(2), rank.group);
  (void)all_reduce(rows(2), rank.group);
}

}  // namespace

int main(int, char** argv) {
  std::string const name = argv[1];
  if (name == "uncaught") {
    World world;
    if (world.rank() == 1) throw std::runtime_error("planted");
    barrier(world.group());
  } else if (name == "caught outside") {
    try {
      World world;
      if (world.rank() == 1) throw std::runtime_error("planted");
      barrier(world.group());
    } catch (std::exception const&) {
      return 0;
    }
  } else if (name == "twice") {
    { World const world; }
    return run([](World&) {});
  } else if (name == "after its end") {
    Group group;
    { group = World().group(); }
    barrier(group);
  } else {
    return run([&](World& world) { play(name, world); });
  }
}
