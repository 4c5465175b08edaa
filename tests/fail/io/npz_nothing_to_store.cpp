// expect: tenon::npz: there is neither a tensor nor a number in this type
#include <string>

#include <tenon/io/npz.hpp>

struct Comment {
  std::string text;
};

void save_comment() { tenon::npz::save("x.npz", Comment{"none"}); }
