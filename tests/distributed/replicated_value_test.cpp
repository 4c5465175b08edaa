// Conversions of sharded tensors to plain ones: gradients agree with one rank, or an error is
// thrown.

#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/sharding/exact_shards.hpp>
#include <tenon/distributed/sharding/on_shards.hpp>
#include <tenon/distributed/sharding/reduce_shards.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/distributed/zero/unshard.hpp>

#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

namespace replicated_value_test {

using namespace tenon;

namespace {

using X = Float64<"n d=3">;
using W = Float64<"d=3">;
using Replicated = Sharded<double, "d=3">;

X const rows = normal<X>(Key(1), 12);
W const weights = normal<W>(Key(2));

/// The gradient of sum(square(rows * weights)) on one rank.
W derivatives() {
  return grad([](W const& w) -> Float64<""> { return sum(square(rows * w)); })(weights);
}

template <class G>
double error_of(G const& found) {
  return max(abs(found - derivatives())).item() / max(abs(derivatives())).item();
}

/// The message of what a function throws; "" if it does not throw.
template <class F>
std::string words_of(F const& f) {
  try {
    f();
    return "";
  } catch (Error const& error) {
    return error.what();
  }
}

/// A mesh, rows sharded over it, and replicated weights.
struct Setting {
  World world{};
  Mesh<"dp"> mesh{world, world.size()};
  Group dp = mesh.group<"dp">();
  Sharded<double, "n@dp d=3"> x = shard<"n@dp d">(mesh, rows);
  Replicated w = replicated(mesh, weights);

  bool is_alone() const { return world.size() == 1; }
  /// The gradient of a loss with respect to `w`.
  template <class F>
  W derivative(F const& loss) const {
    return grad(loss)(w).unchecked_local;
  }
};

}  // namespace

TEST_CASE("gradients within sharded tensors agree with one rank") {
  Setting const at;
  auto const over = [](auto const& f) { return unshard(all_reduce(sum(square(f)))); };
  CHECK(error_of(at.derivative([&](Replicated const& w) { return over(at.x * w); })) < 1e-14);
  CHECK(error_of(at.derivative([&](Replicated const& w) {
          return over(on_shards([](auto const& x, auto const& v) { return x * v; })(at.x, w));
        })) < 1e-14);
  CHECK(error_of(at.derivative([&](Replicated const& w) {
          return over(at.x * replicated(at.mesh, unshard(w)));
        })) < 1e-14);
  auto const of_plain = grad([&](W const& w) { return over(at.x * replicated(at.mesh, w)); });
  CHECK(error_of(of_plain(weights)) < 1e-14);
}

TEST_CASE("equal computations of all ranks on whole values have the gradient of one rank") {
  Setting const at;
  CHECK(error_of(at.derivative([&](Replicated const& w) -> Float64<""> {
          return sum(square(unshard(at.x) * unshard(w)));
        })) < 1e-14);
  CHECK(error_of(at.derivative([&](Replicated const& w) -> Float64<""> {
          return sum(square(unshard(at.x * w)));
        })) < 1e-14);
  CHECK(error_of(at.derivative([&](Replicated const& w) -> Float64<""> {
          auto const early = unshard(all_reduce(sum(square(at.x * w))));
          auto const late = unshard(all_reduce(sum(square(at.x * w))));
          return early * 0.25 + late * 0.75;  // the second sum follows the first value
        })) < 1e-14);
}

TEST_CASE("a value that each rank uses differently is passed through copy_to") {
  Setting const at;
  CHECK(error_of(at.derivative([&](Replicated const& w) -> Float64<""> {
          return all_reduce(sum(square(at.x.unchecked_local * copy_to(unshard(w), at.dp))), at.dp);
        })) < 1e-14);
}

TEST_CASE("a local shard is read as a constant; if it is recorded, this throws") {
  Setting const at;
  CHECK(to_local(at.w)(1) == weights(1));
  CHECK(to_local(at.x).sizes() == at.x.unchecked_local.sizes());
  auto const words = words_of([&] {
    (void)at.derivative([&](Replicated const& w) { return sum(unshard(w)) * to_local(w)(1); });
  });
  CHECK(words.find("tenon::to_local: expected a tensor that is not recorded") != words.npos);
  CHECK(error_of(at.derivative([&](Replicated const& w) -> Float64<""> {
          double const one = to_local(stop_gradient(w))(1) / weights(1);
          return unshard(all_reduce(sum(square(at.x * w)))) * one;
        })) < 1e-14);
}

TEST_CASE("a whole value that each rank uses differently throws on all ranks") {
  Setting const at;
  auto const refused = [&](auto const& loss) {
    auto const words = words_of([&] { (void)at.derivative(loss); });
    auto const expected = "expected one adjoint on all ranks of group '" +
                          std::string(at.dp.name()) + "', got parts of a sum";
    return at.is_alone() ? words.empty() : words.find(expected) != words.npos;
  };
  CHECK(refused([&](Replicated const& w) -> Float64<""> {
    return all_reduce(sum(square(at.x.unchecked_local * unshard(w))), at.dp);
  }));
  CHECK(refused([&](Replicated const& w) -> Float64<""> {  // shards assembled by hand
    Sharded<double, "n@dp d=3"> const y{at.x.unchecked_local * unshard(w), at.x.place};
    return unshard(all_reduce(sum(square(y))));
  }));
  CHECK(refused([&](Replicated const& w) -> Float64<""> {
    auto const parts = all_gather<"n">(eval(square(at.x.unchecked_local * unshard(w))), at.dp);
    return sum(parts);
  }));
  CHECK(refused([&](Replicated const& w) -> Float64<""> {
    return exact_sum(square(at.x.unchecked_local * unshard(w)), at.dp);
  }));
}

TEST_CASE("the adjoint of an unsharded tensor is compared in the same way") {
  Setting const at;
  auto const parts = shard<"d@dp">(at.mesh, weights);
  auto const derivative = [&](auto const& used) {
    return grad([&](Sharded<double, "d=3@dp"> const& w) -> Float64<""> {
      return all_reduce(sum(square(at.x.unchecked_local * used(unshard(w)))), at.dp);
    })(parts);
  };
  auto const same = [](auto const& w) { return w; };
  CHECK(words_of([&] { (void)derivative(same); }).empty() == at.is_alone());
  CHECK(error_of(unshard(derivative([&](auto const& w) { return copy_to(w, at.dp); }))) < 1e-14);
}

TEST_CASE("a value that is the same on all ranks cannot be reduced over them") {
  Setting const at;
  auto const words = words_of([&] {
    (void)at.derivative([&](Replicated const& w) {
      return all_reduce<op::mean>(unshard(all_reduce(sum(square(at.x * w)))), at.dp);
    });
  });
  if (at.is_alone()) CHECK(words.empty());
  else CHECK(words.find("got what `unshard` gave, one value on all ranks of group") != words.npos);
  auto const loss = unshard(all_reduce(sum(square(at.x * at.w))));  // not within a gradient
  CHECK(all_reduce<op::mean>(loss, at.dp).item() == doctest::Approx(loss.item()));
}

TEST_CASE("losses that are not reduced, and other meshes, are not compared") {
  Setting const at;
  auto const own = at.derivative([&](Replicated const& w) -> Float64<""> {
    return sum(square(at.x.unchecked_local * unshard(w)));  // for average_gradients
  });
  CHECK(error_of(all_reduce(own, at.dp)) < 1e-14);
  Mesh<"one"> const alone(at.world.group().split(at.world.rank(), 0, "alone"), 1);
  auto const derivative = grad([&](Replicated const& w) -> Float64<""> {
    return all_reduce(sum(square(at.x.unchecked_local * unshard(w))), at.dp);
  })(replicated(alone, weights));
  CHECK(error_of(all_reduce(derivative.unchecked_local, at.dp)) < 1e-14);
}

TEST_CASE("adjoints are compared only if collectives are checked") {
  Setting const at;
  check_collectives(false);
  auto const derivative = at.derivative([&](Replicated const& w) -> Float64<""> {
    return all_reduce(sum(square(at.x.unchecked_local * unshard(w))), at.dp);
  });
  check_collectives(true);
  CHECK(error_of(all_reduce(derivative, at.dp)) < 1e-14);
}

TEST_CASE("sharded expressions are evaluated, each rank its shard") {
  Setting const at;
  auto const twice = eval(at.x * 2.0);
  static_assert(std::same_as<decltype(twice), Sharded<double, "n@dp d=3"> const>);
  CHECK(max(abs(unshard(twice) - rows * 2.0)).item() == 0);
  auto const partial = eval(sum<"n">(at.x));
  static_assert(PartialShardType<decltype(partial)>);
  CHECK(max(abs(unshard(all_reduce(partial)) - sum<"n">(rows))).item() < 1e-14);
  auto const gathered = eval(unshard<"dp">(at.x));
  static_assert(sharding_of<decltype(gathered)> == "n d=3");
  CHECK(max(abs(gathered.unchecked_local - rows)).item() == 0);
  CHECK(max(abs(unshard(unshard<"dp">(at.x)) - rows)).item() == 0);
  auto const mean_kept = unshard(all_reduce(mean<"n">(at.x, keep)));
  CHECK(max(abs(mean_kept - mean<"n">(rows, keep))).item() < 1e-14);
  CHECK(max(abs(to<double>(unshard(to<float>(at.x))) - rows)).item() < 1e-6);
}

}  // namespace replicated_value_test
