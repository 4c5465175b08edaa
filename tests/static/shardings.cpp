// Shardings of tensors over a mesh, as far as types determine them.

#include <array>

#include <tenon/distributed/sharding/propagation.hpp>
#include <tenon/distributed/sharding/reshard_plan.hpp>
#include <tenon/tenon.hpp>

namespace tenon::internal {

static_assert(canonical_sharding<" batch@dp   hidden=128@tp ">.view() == "batch@dp hidden=128@tp");
static_assert(parse_sharding("n@dp@cp m").sharding[0] == FixedText("dp@cp"));
static_assert(parse_sharding("n@dp m@dp").mistake == FixedText("divides the tensor twice"));
static_assert(!parse_sharding("n@").ok() && !parse_sharding("n@dp@").ok() &&
              !parse_sharding("n@2").ok());
static_assert(!parse_sharding("* n@dp").ok());
static_assert(local_shape(parse_sharding("n@dp m=3 n+1").sharding) == "n m=3 _");
static_assert(local_shape(parse_sharding("n=8 m=3").sharding) == "n=8 m=3");

constexpr std::array<PropagatedSharding, 2> operands{
    PropagatedSharding{{FixedText("dp"), FixedText("tp")}}, PropagatedSharding{{FixedText("tp")}}};
using X = AbstractOperand<0, float, "batch in=128", Cpu>;
using W = AbstractOperand<1, float, "in=128 out=8", Cpu>;

template <class E>
constexpr PropagatedSharding divided = PropagateSharding<E>::of(operands.data());

using Product = decltype(matmul(std::declval<X>(), std::declval<W>()));
static_assert(divided<Product>.fits() && divided<Product>.partial == FixedText("tp"));
static_assert(divided<Product>.over[0] == FixedText("dp") && divided<Product>.over[1].empty());
using OfPart = decltype(relu(matmul(std::declval<X>(), std::declval<W>())));
static_assert(divided<OfPart>.mistake == DivisionMistake::is_partial);
using Turned = decltype(transpose(std::declval<X>()));
static_assert(divided<Turned>.over[1] == FixedText("dp"));
using Cut = decltype(slice<"in", 0, 4>(std::declval<X>()));
static_assert(divided<Cut>.mistake == DivisionMistake::axis_is_divided);
using Rows = decltype(softmax<"in">(std::declval<X>()));
static_assert(!divided<Rows>.fits());

constexpr Sharding steps(std::string_view from, std::string_view to, int number) {
  Sharding now = parse_sharding(from).sharding;
  Sharding const wanted = parse_sharding(to).sharding;
  for (int i = 0; i < number; ++i) now = after(now, next_step(now, wanted));
  return now;
}
static_assert(format(steps("a@x b", "a b@x", 1)).view() == "a b@x");  // one all_to_all
static_assert(format(steps("a b", "a@x@y b", 2)).view() == "a@x@y b");
static_assert(format(steps("a@x@y b", "a@y b@x", 3)).view() == "a@y b@x");

}  // namespace tenon::internal
