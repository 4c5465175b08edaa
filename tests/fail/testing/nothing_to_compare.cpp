// expect: tenon: check_close: expected a tensor, a number or a tree of them
#include <string>

#include <tenon/tenon.hpp>
#include <tenon/testing.hpp>

auto const same = tenon::testing::check_close(std::string("a"), std::string("b"));
