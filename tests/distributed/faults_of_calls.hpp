#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include <tenon/distributed/collectives/collectives.hpp>
#include <tenon/distributed/collectives/exact_reduction.hpp>
#include <tenon/distributed/data_parallel/average_gradients.hpp>
#include <tenon/distributed/data_parallel/deterministic_sum.hpp>
#include <tenon/distributed/data_parallel/overlapped_average.hpp>
#include <tenon/distributed/zero/zero.hpp>
#include <tenon/tenon.hpp>

/// Collective calls in which one rank passes different arguments.
namespace faults {

using namespace tenon;

using Rows = Float32<"n d=2">;

inline Rows rows(std::int64_t count) { return ones<Rows>(count); }

/// Rank 1 is the faulty one.
struct Rank {
  World& world;
  Group const& group = world.group();
  bool odd = world.rank() == 1;
};

inline void calls_differ(Rank const& r, std::function<void()> const& usual,
                         std::function<void()> const& other) {
  (void)all_reduce(rows(1), r.group);  // a correct call
  r.odd ? other() : usual();
  barrier(r.group);
}

using Fault = std::function<void(Rank const&)>;

inline std::map<std::string, Fault> faults_of_calls() {
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
  add("reduction", sum, [](Group const& g) { (void)all_reduce<op::max>(rows(2), g); });
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

/// Trees with equal numbers of elements, in another order and with other sizes.
struct Leaves {
  Float32<"n"> first = ones<Float32<"n">>(2), second = ones<Float32<"n">>(4);
};
struct OtherLeaves {
  Float32<"n"> second = ones<Float32<"n">>(4), first = ones<Float32<"n">>(2);
};
using Matrix = Float32<"row column">;

inline std::map<std::string, Fault> faults_of_trees() {
  std::map<std::string, Fault> all;
  auto const add = [&](std::string const& name, auto const& usual, auto const& other) {
    all[name] = [=](Rank const& r) {
      calls_differ(
          r, [&] { usual(r.group); }, [&] { other(r.group); });
    };
  };
  auto const average = [](auto const& tree) {
    return [=](Group const& g) { (void)average_gradients(tree, g); };
  };
  auto const pieces = [](auto const& tree) {
    return [=](Group const& g) {
      DeterministicSum sum;
      sum.add(g.rank(), tree);
      (void)sum.mean(tree, g);
    };
  };
  auto const reduce = [](auto const& tree) {
    return [=](Group const& g) { (void)Zero{SGD{}, g}.reduce(tree); };
  };
  auto const later = [](auto const& f) {
    return [=](Group const& g) { (void)value_and_grad_averaged(f, g)(Leaves{}); };
  };
  add("leaf sizes", average(ones<Matrix>(2, 3)), average(ones<Matrix>(3, 2)));
  add("leaf order", average(Leaves()), average(OtherLeaves()));
  add("pieces of trees", pieces(Leaves()), pieces(OtherLeaves()));
  add("rows of trees", reduce(Leaves()), reduce(OtherLeaves()));
  add("parts in another order", later([](Leaves const& m, auto const& at) {
        auto const first = at(m.first);
        return sum(first) + sum(at(m.second));
      }),
      later([](Leaves const& m, auto const& at) {
        auto const second = at(m.second);
        return sum(at(m.first)) + sum(second);
      }));
  return all;
}

}  // namespace faults
