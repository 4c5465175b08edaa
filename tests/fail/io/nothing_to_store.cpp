// expect: tenon::safetensors: there is neither a tensor nor a number in this type
#include <string>

#include <tenon/io/safetensors.hpp>

struct Comment {
  std::string text;
};

void save_comment() { tenon::save("x.safetensors", Comment{"none"}); }
