// expect: tenon::onnx: there is neither a tensor nor a number in this type
#include <string>

#include <tenon/io/onnx.hpp>

struct Comment {
  std::string text;
};

auto load_comment() { return tenon::onnx::load<Comment>("x.onnx"); }
