// The added operation is in the lists, from which the tests and the backends are made. (These
// headers alone take half a second to read.)

#include <string_view>

#include <tenon/op/list.hpp>

namespace {

constexpr bool is_listed(std::string_view name) {
  bool found = false;
  tenon::op::for_each(tenon::op::All{}, [&]<class Op>() { found = found || Op::name == name; });
  return found;
}
static_assert(is_listed("softsign"), "softsign is in no list");

}  // namespace
