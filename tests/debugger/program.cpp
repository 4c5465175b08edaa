// Variables that gdb prints by scripts/debugger/tenon_printers.py: test.sh compares the text of
// each with the comment below it. The program itself writes dtype, spec and sizes of each, as the
// library computes them.

#include <cstdio>
#include <limits>

#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

using namespace tenon;

int stops = 0;
void stop_here() { ++stops; }

template <class E>
void describe(char const* name, E const& e) {
  using T = typename E::value_type;
  std::string sizes;
  for (int i = 0; i < E::shape.rank; ++i) {
    sizes += (i > 0 ? ", " : "") + std::to_string(e.sizes()[static_cast<std::size_t>(i)]);
  }
  if (E::shape.rank == 1) sizes += ",";
  std::printf("%s: %s \"%s\" (%s) on %s\n", name, internal::dtype_name<T>.data(),
              std::string(internal::format(E::shape).view()).c_str(), sizes.c_str(),
              E::device::name.data());
}

struct Model {
  Float32<"pixel=3 hidden=2"> weight{{1, 0}, {0, 1}, {2, -1}};
  Float32<"hidden=2"> bias{0.5f, 0.25f};
};

void print_elements() {
  Float32<"2 3"> fixed{{1, 2.5f, 0.1f}, {-4, 1e10f, 1e-7f}};
  // fixed: float32 "2 3" (2, 3) on cpu: [[1. 2.5 0.1] [-4. 10000000000. 1e-07]]
  Float64<"batch=1..64 pixel=2"> bounded{{1, 0.1}, {1e20, 1.0 / 3}};
  // bounded: float64 "batch=1..64 pixel=2" (2, 2) on cpu: [[1. 0.1] [1e+20 0.3333333333333333]]
  Float64<""> scalar = 2;
  // scalar: float64 "" () on cpu: 2.0
  Float32<"n+1 n"> product = zeros<Float32<"n+1 n">>(2, 1);
  // product: float32 "n+1 n" (2, 1) on cpu: [[0.] [0.]]
  auto const infinity = std::numeric_limits<float>::infinity();
  Float32<"n"> special{infinity, -infinity, infinity - infinity, -0.0f};
  // special: float32 "n" (4,) on cpu: [inf -inf nan -0.]
  Mask<"2"> mask{true, false};
  // mask: bool "2" (2,) on cpu: [True False]
  Int8<"n"> bytes{1, -128};
  // bytes: int8 "n" (2,) on cpu: [1 -128]
  UInt64<"n"> words{std::numeric_limits<std::uint64_t>::max()};
  // words: uint64 "n" (1,) on cpu: [18446744073709551615]
  Float16<"n"> half{float16(0.1f), float16(65504.0f)};
  // half: float16 "n" (2,) on cpu: [0.1 65500.]
  BFloat16<"n", Reference> brain{bfloat16(0.1f), bfloat16(3e38f)};
  // brain: bfloat16 "n" (2,) on reference: [0.1 3e+38]
  Complex64<"n"> complex{{1, 2}, {0.5f, -4}};
  // complex: complex64 "n" (2,) on cpu: [1.+2.j 0.5-4.j]
  describe("fixed", fixed), describe("bounded", bounded), describe("scalar", scalar),
      describe("product", product), describe("special", special);
  describe("mask", mask), describe("bytes", bytes), describe("words", words),
      describe("half", half), describe("brain", brain);
  describe("complex", complex);
  stop_here();
}

void print_tensors() {
  Float32<"9 9"> large = reshape<"9 9">(linspace<Float32<"81">>(0, 80));
  // large: float32 "9 9" (9, 9) on cpu: [[0. 1. 2. ...] [9. 10. 11. ...] [18. 19. 20. ...] ...]
  Float32<"rows"> line = zeros<Float32<"rows">>(100);
  // line: float32 "rows" (100,) on cpu: [0. 0. 0. ...]
  Float32<"a b"> empty;
  // empty: float32 "a b" (0, 0) on cpu: []
  Float32<"3 2 1"> deep{{{1}, {2}}, {{3}, {4}}, {{5}, {6}}};
  // deep: float32 "3 2 1" (3, 2, 1) on cpu: [[[1.] [2.]] [[3.] [4.]] [[5.] [6.]]]
  Float32<"100"> moved, kept = std::move(moved);
  // moved: float32 "100" (100,) on cpu: no elements
  Model model;
  // model.bias: float32 "hidden=2" (2,) on cpu: [0.5 0.25]
  auto const whole = view(model.weight);
  // whole: float32 "pixel=3 hidden=2" (3, 2) on cpu, a view: [[1. 0.] [0. 1.] [2. -1.]]
  View<float, "2 pixel=3"> turned(model.weight.data(), {2, 3, 1, 1, 1, 1, 1, 1}, {1, 2});
  // turned: float32 "2 pixel=3" (2, 3) on cpu, a view: [[1. 0. 2.] [0. 1. -1.]]
  auto const writable = mutable_view(model.bias);
  // writable: float32 "hidden=2" (2,) on cpu, a view: [0.5 0.25]
  Shape shape = shape_of<Float32<"batch=1..64 pixel=3 n _ n+1">>;
  // shape: "batch=1..64 pixel=3 n _ n+1"
  float16 number(1.5f);
  // number: 1.5
  describe("large", large), describe("line", line), describe("empty", empty),
      describe("deep", deep), describe("kept", kept);
  describe("model.bias", model.bias), describe("whole", whole), describe("turned", turned),
      describe("writable", writable);
  stop_here();
}

void print_expressions() {
  Model const model;
  Float32<"batch pixel=3"> x{{1, 2, 3}, {4, 5, 6}};
  // x: float32 "batch pixel=3" (2, 3) on cpu: [[1. 2. 3.] [4. 5. 6.]]
  Float32<"batch=2..9 1"> column{{1}, {2}};
  Int32<"batch"> ids{2, 0};
  auto scaled = 2.0f * x + x;
  // scaled: float32 "batch pixel=3" (2, 3) on cpu, not evaluated: Add
  // scaled.a.a: 2.0
  auto gone = x + x, moved_to = std::move(gone);
  // gone: moved from: Add
  // moved_to: float32 "batch pixel=3" (2, 3) on cpu, not evaluated: Add
  auto by_position = x - column;
  // by_position: float32 "batch=2..9 pixel=3" (2, 3) on cpu, not evaluated: Sub
  auto by_name = x / sum<"pixel">(x);
  // by_name: float32 "batch pixel=3" (2, 3) on cpu, not evaluated: Div
  auto compared = x > 2.0f;
  // compared: bool "batch pixel=3" (2, 3) on cpu, not evaluated: Greater
  auto chosen = where(x > 2.0f, 1.0f, x);
  // chosen: float32 "batch pixel=3" (2, 3) on cpu, not evaluated: Where
  auto cast = to<double>(x);
  // cast: float64 "batch pixel=3" (2, 3) on cpu, not evaluated: Cast<double>
  auto transposed = transpose<"pixel batch">(x);
  // transposed: float32 "pixel=3 batch" (3, 2) on cpu, not evaluated: view
  auto flipped = flip<"pixel">(x);
  // flipped: float32 "batch pixel=3" (2, 3) on cpu, not evaluated: strided view
  auto reduced = max<"batch">(x, keep);
  // reduced: float32 "batch=1 pixel=3" (1, 3) on cpu, not evaluated: MaxReduction
  auto position = argmax<"pixel">(x);
  // position: int32 "batch" (2,) on cpu, not evaluated: ArgmaxReduction
  auto product = matmul(x, model.weight) + model.bias;
  // product: float32 "batch hidden=2" (2, 2) on cpu, not evaluated: Add
  // product.a: float32 "batch hidden=2" (2, 2) on cpu, not evaluated: matmul
  auto outer = einsum<"b i, j k -> k i b j">(x, model.weight);
  // outer: float32 "k=2 i=3 b j=3" (2, 3, 2, 3) on cpu, not evaluated: einsum
  auto taken = take<"pixel">(x, ids);
  // taken: float32 "batch batch" (2, 2) on cpu, not evaluated: take
  auto picked = pick<"pixel">(x, ids);
  // picked: float32 "batch" (2,) on cpu, not evaluated: pick
  auto along = take_along<"pixel">(x, Int32<"batch 2">{{0, 1}, {2, 2}});
  // along: float32 "batch 2" (2, 2) on cpu, not evaluated: take_along
  describe("scaled", scaled), describe("moved_to", moved_to), describe("by_position", by_position),
      describe("by_name", by_name), describe("compared", compared), describe("chosen", chosen);
  describe("cast", cast), describe("transposed", transposed), describe("flipped", flipped),
      describe("reduced", reduced), describe("position", position);
  describe("product", product), describe("product.a", product.a), describe("outer", outer),
      describe("taken", taken), describe("picked", picked);
  describe("along", along);
  stop_here();
}

int main() {
  print_elements();
  print_tensors();
  print_expressions();
}
