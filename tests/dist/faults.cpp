#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>

#include <tenon/dist/assert_same.hpp>
#include <tenon/dist/average_gradients.hpp>
#include <tenon/dist/collectives.hpp>
#include <tenon/dist/exact_fold.hpp>
#include <tenon/dist/mesh.hpp>
#include <tenon/dist/pipeline.hpp>
#include <tenon/dist/sum_of_pieces.hpp>
#include <tenon/tenon.hpp>

// Programs in which one rank does something else. faults_test.sh runs them and reads what is said.

using namespace tenon;

namespace {

using Rows = Float32<"n d=2">;

Rows rows(std::int64_t count) { return ones<Rows>(count); }

/// Rank 1 is the odd one.
struct Rank {
  World& world;
  Group const& group = world.group();
  bool odd = world.rank() == 1;
};

void calls_differ(Rank const& r, std::function<void()> const& usual,
                  std::function<void()> const& other) {
  (void)all_reduce(rows(1), r.group);  // so far, so good
  r.odd ? other() : usual();
  barrier(r.group);
}

/// A stage of a pipeline fails while its neighbours wait for what it was to send.
void fails_in_a_stage(Rank const& r) {
  auto const middle = [&](Rows const& w, Rows const& x) {
    if (r.odd) throw std::runtime_error("planted");
    return Rows(w * x);
  };
  (void)pipelined_value_and_grad(
      rows(2), 4, Stages(r.group), [](Rows const& w, int) { return w; }, middle,
      [](Rows const&, Rows const& x, int) { return sum(x); });
}

using Fault = std::function<void(Rank const&)>;

std::map<std::string, Fault> faults_of_calls() {
  std::map<std::string, Fault> all;
  auto const add = [&](std::string const& name, auto const& usual, auto const& other) {
    all[name] = [=](Rank const& r) {
      calls_differ(
          r, [&] { usual(r.group); }, [&] { other(r.group); });
    };
  };
  auto const sum = [](Group const& g) { (void)all_reduce(rows(2), g); };
  auto const gather_rows = [](Group const& g) { (void)all_gather<"n">(rows(2), g); };
  add("dtype", sum, [](Group const& g) { (void)all_reduce(ones<Float64<"n d=2">>(2), g); });
  add("spec", sum, [](Group const& g) { (void)all_reduce(ones<Float32<"m d=2">>(2), g); });
  add("size", sum, [](Group const& g) { (void)all_reduce(rows(3), g); });
  add("fold", sum, [](Group const& g) { (void)all_reduce<op::max>(rows(2), g); });
  add("operation", sum, gather_rows);
  add("axis", gather_rows, [](Group const& g) { (void)all_gather<"d">(rows(2), g); });
  add(
      "cut", [](Group const& g) { (void)reduce_scatter<"n">(rows(2), g); },
      [](Group const& g) { (void)reduce_scatter<"n">(rows(4), g); });
  add(
      "root", [](Group const& g) { (void)broadcast(rows(2), 0, g); },
      [](Group const& g) { (void)broadcast(rows(2), 1, g); });
  add(
      "distance", [](Group const& g) { (void)shift(rows(2), 1, g); },
      [](Group const& g) { (void)shift(rows(2), 0, g); });
  add(
      "order", [=](Group const& g) { sum(g), barrier(g); },
      [=](Group const& g) { barrier(g), sum(g); });
  add(
      "begun", [](Group const& g) { (void)begin_all_reduce(rows(2), g).wait(); }, sum);
  add(
      "received", [](Group const& g) { g.rank() == 0 ? send(rows(2), 1, g) : barrier(g); },
      [](Group const& g) { (void)receive<Float64<"n d=2">>(0, g); });
  add(
      "more", [](Group const&) {}, sum);
  add(
      "exchanged axes", [](Group const& g) { (void)all_to_all<"n", "d">(rows(6), g); },
      [](Group const& g) { (void)all_to_all<"d", "n">(rows(6), g); });
  add(
      "received sizes", [](Group const& g) { g.rank() == 0 ? send(rows(2), 1, g) : barrier(g); },
      [](Group const& g) { (void)receive<Float32<"n=3 d=2">>(0, g); });
  add(
      "models", [](Group const& g) { (void)average_gradients(rows(2), g); },
      [](Group const& g) { (void)average_gradients(rows(3), g); });
  add(
      "metric", [](Group const& g) { (void)exact_mean<"n">(rows(2), g); },
      [](Group const& g) { (void)exact_sum<"n">(rows(3), g); });
  return all;
}

/// A replica has gone its own way.
void diverges(Rank const& r) {
  struct Model {
    Rows first = rows(4), second = rows(3);
  } model;
  if (r.odd) model.second(2, 1) = 1.5f;
  assert_same(model, r.group);
}

/// Nobody has piece 1.
void misses_a_piece(Rank const& r) {
  SumOfPieces sum;
  if (!r.odd) sum.add(r.group.rank(), rows(2));
  (void)sum.mean(rows(2), r.group);
}

void differentiates(Rank const& r) {
  auto const loss = [&](Rows const& x) { return sum(copy_to(x, r.group)); };
  if (r.odd) (void)loss(rows(2));
  else (void)grad(loss)(rows(2));
}

/// Groups are entered in another order: each waits for the other.
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
  if (how == "sleep") std::this_thread::sleep_for(std::chrono::seconds(60));
}

/// The odd one ends in the backward pass, in which the others wait.
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
