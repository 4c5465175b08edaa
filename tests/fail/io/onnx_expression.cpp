// expect: tenon::onnx: an expression is not stored; evaluate it first, with eval
#include <tenon/io/onnx.hpp>
#include <tenon/tenon.hpp>

auto load_sum(tenon::Float32<"n=2"> const& x) { return tenon::onnx::load("x.onnx", x + x); }
