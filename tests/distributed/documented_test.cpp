// The code of docs/distributed.md.
#include "ranks.hpp"

#include <tenon/distributed/collectives/assert_same.hpp>
#include <tenon/distributed/collectives/exact_reduction.hpp>
#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/data_parallel/deterministic_sum.hpp>

namespace documented_test {

using namespace ranks;

namespace {

using Rows = Float64<"n d=2">;

Float64<""> loss_of_part(Float64<"d=2"> const& w, Rows const& own, Group const& data) {
  Float64<"d=2"> const weights = copy_to(w, data);  // its adjoints are added up over ranks
  Float64<""> const loss = sum(own * weights * (own * weights));
  return all_reduce(loss, data);  // the loss of all ranks, on all ranks
}

}  // namespace

TEST_CASE("the gradient of a loss over the rows of all ranks") {
  World const world;
  Mesh<"dp"> const mesh(world);
  Group const& data = mesh.group<"dp">();
  Rows const all = rows(0, 7);  // the same on all ranks
  auto const own = part_of<"n">(all, data);
  Float64<"d=2"> const w{0.25, -0.5};

  auto const found = grad([&](Float64<"d=2"> const& x) { return loss_of_part(x, own, data); })(w);
  auto const expected =
      grad([&](Float64<"d=2"> const& x) { return loss_of_part(x, all, Group()); })(w);
  CHECK(std::abs(found(0) - expected(0)) < 1e-9);
  CHECK(std::abs(found(1) - expected(1)) < 1e-9);

  auto pending = begin_all_reduce(w, data);
  // ... something else meanwhile ...
  CHECK(pending.wait()(0) == 0.25 * world.size());
}

namespace {

/// The loss and the gradient of twelve micro-batches, which the ranks of a group divide.
std::pair<double, Float64<"d=2">> loss_and_gradient(Float64<"d=2"> const& w, Group const& data) {
  auto const loss = [](Float64<"d=2"> const& x, Rows const& batch) {
    return mean(tanh(matmul(batch, x)));
  };
  std::int64_t const batches = 12, first = batches * data.rank() / data.size();
  std::int64_t const last = batches * (data.rank() + 1) / data.size();

  ExactSum<double> losses;
  DeterministicSum gradients;
  for (std::int64_t i = first; i < last; ++i) {  // this rank's micro-batches
    auto const [value, gradient] = value_and_grad(loss)(w, rows(3 * i, 3));
    losses.add(value.item());
    gradients.add(i, gradient);
  }
  return {all_reduce(losses, data).mean(batches), gradients.mean(w, data)};
}

}  // namespace

TEST_CASE("losses and gradients are independent of the number of ranks") {
  World const world;
  Float64<"d=2"> const w{0.25, -0.5};
  auto const [loss, gradient] = loss_and_gradient(w, world.group());
  auto const [loss_alone, gradient_alone] = loss_and_gradient(w, Group());
  CHECK(loss == loss_alone);
  CHECK(gradient(0) == gradient_alone(0));
  CHECK(gradient(1) == gradient_alone(1));
  CHECK(std::abs(loss + 0.983054) < 1e-6);

  assert_same(gradient, world.group());
  print_in_order("loss " + std::to_string(loss), world.group());
}

}  // namespace documented_test
