// expect g++: no match for 'operator*' (operand types are 'float' and 'const Line')
// expect clang++: invalid operands to binary expression ('float' and 'const Line')
// shown in: docs/mistakes.md
#include <tenon/tenon.hpp>

using namespace tenon;

struct Line {
  Float32<"n"> weight;
};

void mistaken(Line& model, Line const& gradient) { model = model - 0.1f * gradient; }
