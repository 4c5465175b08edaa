// Work for the registers of the CPU, compiled for an instruction set, with intrinsics or xsimd:
// bench/registers.cpp compares them. TENON_REGISTERS is the name of the exported function.
#include "registers.hpp"

#include <tenon/tenon.hpp>

using namespace tenon;

namespace {

using Rows = Float32<"row=512 column=1024">;
using Square = Float32<"i=512 k=512">;

struct Tensors {
  Rows a = normal<Rows>(Key{1}), b = normal<Rows>(Key{2}), rows = a;
  Square x = normal<Square>(Key{3});
  Float32<"k=512 j=512"> y = normal<Float32<"k=512 j=512">>(Key{4});
  BFloat16<"row=512 column=1024"> half = eval(to<bfloat16>(a));
  Float32<"i=512 j=512"> product = matmul(x, y);
};

/// In the order of `Work`.
constexpr void (*works[])(Tensors&){
    [](Tensors& t) { t.rows = relu(t.a * t.b + t.a); },
    [](Tensors& t) { t.rows = exp(-square(t.a)); },
    [](Tensors& t) { t.rows = gelu(t.a); },
    [](Tensors& t) { t.rows = sin(t.a); },
    [](Tensors& t) { t.rows = to<float>(t.half) * 2; },
    [](Tensors& t) { t.rows = softmax<"column">(t.a); },
    [](Tensors& t) { t.product = matmul(t.x, t.y); },
};

}  // namespace

[[gnu::visibility("default")]] void TENON_REGISTERS(Work work) {
  static auto tensors = (set_threads(1), Tensors{});
  works[static_cast<int>(work)](tensors);
}
