// Work for the registers of the CPU, compiled for an instruction set, with intrinsics or xsimd:
// bench/registers.cpp compares them. TENON_REGISTERS is the name of the exported function.
#include "registers.hpp"

#include <tenon/tenon.hpp>

using namespace tenon;

[[gnu::visibility("default")]] void TENON_REGISTERS(Work work) {
  using Rows = Float32<"row=512 column=1024">;
  using Square = Float32<"i=512 k=512">;
  static auto const a = (set_threads(1), normal<Rows>(Key{1})), b = normal<Rows>(Key{2});
  static auto const x = normal<Square>(Key{3});
  static auto const y = normal<Float32<"k=512 j=512">>(Key{4});
  static auto const half = eval(to<bfloat16>(a));
  static Rows rows = a;
  static Float32<"i=512 j=512"> product = matmul(x, y);
  switch (work) {
    case Work::relu:
      rows = relu(a * b + a);
      break;
    case Work::exp:
      rows = exp(-square(a));
      break;
    case Work::gelu:
      rows = gelu(a);
      break;
    case Work::sin:
      rows = sin(a);
      break;
    case Work::halves:
      rows = to<float>(half) * 2;
      break;
    case Work::softmax:
      rows = softmax<"column">(a);
      break;
    case Work::matmul:
      product = matmul(x, y);
      break;
  }
}
