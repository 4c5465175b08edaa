// The text of kernels in CSL. There is no compiler for it here: the texts are compared whole, and
// none has syntax of C.

#include <doctest/doctest.h>

#include <regex>

#include <tenon/tenon.hpp>

#include <tenon/backend/codegen/csl.hpp>
#include <tenon/backend/codegen/print/gradient_source.hpp>

namespace csl_text_test {

using namespace tenon;
using dialect::Csl;

namespace {

Float32<"n k"> const x = zeros<Float32<"n k">>(300, 70);
Float32<"r=4 c=8"> const small = zeros<Float32<"r=4 c=8">>();
Int32<"n"> const ids = zeros<Int32<"n">>(300);

/// A text from a line on.
std::string from(std::string const& text, std::string_view line) {
  return text.substr((std::min)(text.find(line), text.size()));
}

std::string without_comment(std::string const& line) { return line.substr(0, line.find("  //")); }

/// The first line that CSL cannot have; empty if there is none.
std::string line_of_c(std::string const& text) {
  static std::regex const of_c(
      R"(\?|&&|\|\||\+\+|#|restrict|typedef|\((f|i|u)(8|16|32|64)\)|\b(f|i|u)(8|16|32|64) (const )?[a-z]\w* =)"
      R"(|[ (][0-9.]+[fu]\b|\bfor \((?!@range\()|\bwhile \((?!.*\) : \())");
  static std::regex const statement(R"(|//.*|.*[;{}])");
  for (std::string const& line : internal::codegen::lines_of(text)) {
    std::string const own = without_comment(line);
    if (own.starts_with("//")) continue;
    if (std::regex_search(own, of_c) || !std::regex_match(own, statement)) return line;
  }
  return {};
}

}  // namespace

TEST_CASE("an elementwise kernel in CSL") {
  std::string const text = kernel_source<Csl>(relu(x * 2.0f + small(0, 0)));
  CHECK(text.starts_with("const math = @import_module(\"<math>\");\nconst mask = bool;\n"));
  CHECK(from(text, "// out") == R"(// out: float32 "n k"
// x0: float32 "n k"
fn kernel_0(out: [*]f32, x0: [*]const f32, n_n: i64, n_k: i64) void {
  for (@range(i64, n_n * n_k)) |row| {
    const v0: f32 = x0[row];
    const v1: f32 = v0 * 2.0;  // mul "n k"
    const v2: f32 = v1 + 0.0;  // add "n k"
    const v3: mask = v2 <= 0.0;
    const v4: f32 = if (v3) 0.0 else v2;  // relu "n k"
    out[row] = v4;
  }
}

)");
}

TEST_CASE("a reduction of rows in CSL, in the order of other languages") {
  CHECK(from(kernel_source<Csl>(sum<"c">(small)), "// out") == R"(// out: float32 "r=4"
// x0: float32 "r=4 c=8"
fn kernel_0(out: [*]f32, x0: [*]const f32) void {
  for (@range(i64, 4)) |row| {
    var a0: f32 = 0.0;  // sum "r=4"
    for (@range(i64, 0, 8, 1)) |j1| {
      const v2: f32 = x0[row * 8 + j1];
      const v3: f32 = a0 + v2;
      a0 = v3;
    }
    out[row] = a0;
  }
}

)");
  CHECK(from(kernel_source<Csl>(argmax<"c">(small)), "// out") == R"(// out: int32 "r=4"
// x0: float32 "r=4 c=8"
fn kernel_0(out: [*]i32, x0: [*]const f32) void {
  for (@range(i64, 4)) |row| {
    var a0: f32 = 0.0;
    var a1: i32 = -1;  // argmax "r=4"
    for (@range(i64, 0, 8, 1)) |j2| {
      const v3: f32 = x0[row * 8 + j2];
      const v4: mask = argmax_f32_mask(v3, a0);
      if (a1 < 0 or v4) {
        a0 = v3;
        a1 = @as(i32, j2);
      }
    }
    out[row] = a1;
  }
}

)");
}

TEST_CASE("softmax in CSL: functions of ops, a sum in blocks") {
  std::string const text = kernel_source<Csl>(softmax<"k">(x));
  CHECK(text.find("fn maximum_f32(x: f32, y: f32) f32 {\n  const v0: mask = x < y;\n") !=
        text.npos);
  CHECK(from(text, "// out") == R"(// out: float32 "n k"
// x0: float32 "n k"
fn kernel_0(out: [*]f32, x0: [*]const f32, n_n: i64, n_k: i64) void {
  for (@range(i64, n_n)) |row| {
    var a2: f32 = from_bits_f32(0xff800000);  // max "n k=1"
    for (@range(i64, 0, n_k, 1)) |j3| {
      const v4: f32 = x0[row * n_k + j3];
      const v5: f32 = maximum_f32(a2, v4);
      a2 = v5;
    }
    var a8: f32 = 0.0;  // sum "n k=1"
    var a8_level = @zeros([48]f32);
    var a8_count: i32 = 0;
    var a8_blocks: u64 = 0;
    for (@range(i64, 0, n_k, 1)) |j9| {
      const v10: f32 = x0[row * n_k + j9];
      const v11: f32 = v10 - a2;  // sub "n k"
      const v12: f32 = exp_f32(v11);  // exp "n k"
      const v13: f32 = a8 + v12;
      a8 = v13;
      a8_count += 1;
      if (a8_count == 64) {
        var a8_at: i32 = 0;
        while ((a8_blocks >> a8_at & 1) != 0) : (a8_at += 1) {
          const v14: f32 = a8_level[a8_at] + a8;
          a8 = v14;
        }
        a8_level[a8_at] = a8;
        a8 = 0.0;
        a8_blocks += 1;
        a8_count = 0;
      }
    }
    var a8_at: i32 = 0;
    while ((a8_blocks >> a8_at) != 0) : (a8_at += 1) {
      if ((a8_blocks >> a8_at & 1) != 0) {
        const v15: f32 = a8_level[a8_at] + a8;
        a8 = v15;
      }
    }
    for (@range(i64, 0, n_k, 1)) |j0| {
      const v1: f32 = x0[row * n_k + j0];
      const v6: f32 = v1 - a2;  // sub "n k"
      const v7: f32 = exp_f32(v6);  // exp "n k"
      const v16: f32 = v7 / a8;  // div "n k"
      out[row * n_k + j0] = v16;
    }
  }
}

)");
}

TEST_CASE("a matmul with its epilogue in CSL") {
  auto const w = zeros<Float32<"k m">>(70, 64);
  CHECK(from(kernel_source<Csl>(relu(matmul(x, w) + 1.0f)), "// out") == R"(// out: float32 "n m"
// x0: float32 "n k"
// x1: float32 "k m"
fn kernel_0(out: [*]f32, x0: [*]const f32, x1: [*]const f32, n_n: i64, n_m: i64, n_k: i64) void {
  for (@range(i64, n_n * n_m)) |row| {
    var a0: f32 = 0.0;
    const v2: i64 = row / n_m;
    const v4: i64 = row % n_m;
    for (@range(i64, 0, n_k, 1)) |j1| {
      const v3: f32 = x0[v2 * n_k + j1];
      const v5: f32 = x1[j1 * n_m + v4];
      const v6: f32 = v3 * v5;
      const v7: f32 = a0 + v6;
      a0 = v7;
    }
    const v8: f32 = a0 + 1.0;  // add "n m"
    const v9: mask = v8 <= 0.0;
    const v10: f32 = if (v9) 0.0 else v8;  // relu "n m"
    out[row] = v10;
  }
}

)");
}

TEST_CASE("a gradient in CSL, with the sum of partial adjoints") {
  auto const bias = zeros<Float32<"k">>(70);
  CHECK(from(gradient_source<Csl>(relu(x + bias)), "// adjoint") == R"(// adjoint: float32 "n k"
// g0: the adjoint of x0
// g1: the adjoint of x1, in parts
// x0: float32 "n k"
// x1: float32 "k"
fn pull_0(adjoint: [*]const f32, g0: [*]f32, g1: [*]f32, x0: [*]const f32, x1: [*]const f32, chunks: i64, n_k: i64, n_n: i64) void {
  for (@range(i64, chunks * n_k)) |row| {
    const v0: i64 = row / n_k;
    const v1: i64 = row % n_k;
    const v4: f32 = x1[v1];
    var a10: f32 = 0.0;
    for (@range(i64, v0, n_n, chunks)) |r| {
      const v2: f32 = adjoint[r * n_k + v1];
      const v3: f32 = x0[r * n_k + v1];
      const v5: f32 = v3 + v4;  // add "n k"
      const v8: mask = 0.0 < v5;
      const v9: f32 = if (v8) v2 else 0.0;
      g0[r * n_k + v1] += v9;
      a10 += v9;
    }
    g1[v0 * n_k + v1] += a10;
  }
}

// g1: the sum of its parts
fn pull_0_sum_g1(g1: [*]f32, parts: [*]const f32, elements: i64, chunks: i64) void {
  for (@range(i64, elements)) |row| {
    var a0: f32 = 0.0;
    for (@range(i64, 0, chunks, 1)) |j1| {
      const v2: f32 = parts[j1 * elements + row];
      const v3: f32 = a0 + v2;
      a0 = v3;
    }
    g1[row] += a0;
  }
}

)");
}

TEST_CASE("no text in CSL has syntax of C") {
  CHECK(line_of_c(kernel_source<dialect::Csl>(x)).empty());
  CHECK(line_of_c("  f32 const v0 = x;") == "  f32 const v0 = x;");
  CHECK(!line_of_c("  a = (i32)b;").empty());
  CHECK(!line_of_c("  a = b + 1.0f;").empty());
  CHECK(!line_of_c("  for (i64 j = 0; j < n; ++j) {").empty());
  auto const check = [](auto const& e) {
    CHECK(line_of_c(kernel_source<Csl>(e)) == "");
    CHECK(line_of_c(kernel_source<Csl>(e, {.optimise = false})) == "");
    using T = typename std::remove_cvref_t<decltype(e)>::value_type;
    if constexpr (std::same_as<T, float>) CHECK(line_of_c(gradient_source<Csl>(e)) == "");
  };
  check(log(abs(x)) + tanh(x) * sin(x) - pow(x, 1.5f));
  check(where(((x > 0.5f) & !(x < 2.0f)) | (x == 1.0f), x, -x));
  check(take<"n">(x, ids));
  check(floor_divide(ids, 3) + (ids << 3) - (ids >> 1) * ids);
  check(to<int>(x * 1e30f));
  check(zeros<Float16<"n">>(3) * zeros<Float16<"n">>(3));
  check(softmax<"k">(x));
  check(where(x > 0.5f, std::numeric_limits<float>::infinity(), x));
}

TEST_CASE("masks and integers in CSL") {
  std::string const masks = kernel_source<Csl>((x > 0.5f) & !(x < 2.0f));
  CHECK(masks.find("out: [*]mask") != masks.npos);
  CHECK(masks.find(" and v") != masks.npos);
  CHECK(kernel_source<Csl>(ids + -7).find("@as(i32, (@as(u32, v0) + @as(u32, (-7))))") !=
        std::string::npos);
  CHECK(kernel_source<Csl>(where(x > 0.5f, true, false)).find("if (v1) true else false") !=
        std::string::npos);
}

}  // namespace csl_text_test
