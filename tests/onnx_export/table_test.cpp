// Every op has a form in ONNX, and docs/onnx.md lists it: those of elementwise.hpp too.

#include "cases.hpp"

#include <algorithm>
#include <array>

#include <tenon/io/onnx/export/integers.hpp>
#include <tenon/op/list.hpp>
#include <tenon/op/more.hpp>
#include <tenon/op/symbolic.hpp>

namespace onnx_cases {

namespace {

/// An op that `onnx::save` refuses.
struct Refused {
  std::string_view name;
  std::string_view reason;
};
constexpr std::array<Refused, 0> refused_ops{};

using EveryOp = op::Joined<op::All, op::MoreUnary, op::MoreBinary>;

/// The lists of docs/onnx.md, made from the ops.
struct Lists {
  std::string operators{}, formulas{}, without{};

  template <class Op>
  void add() {
    auto const record = internal::symbolic::op_record<Op>;
    std::string const name = "`" + std::string(Op::name) + "`";
    if (has_rule(Op::name) || record.symbolic != nullptr) append(formulas, name);
    else if (!record.onnx.empty()) append(operators, name);
    else if (!is_refused(Op::name)) append(without, name);
  }

 private:
  static bool has_rule(std::string_view op) {
    auto const& rules = internal::onnx::maps::rules;
    return std::ranges::find(rules, op, &internal::onnx::maps::Rule::op) != rules.end();
  }
  static bool is_refused(std::string_view op) {
    auto const* const found = std::ranges::find(refused_ops, op, &Refused::name);
    return found != refused_ops.end() && !found->reason.empty();
  }
  static void append(std::string& list, std::string const& name) {
    list += (list.empty() ? "" : ", ") + name;
  }
};

}  // namespace

TEST_CASE("every op has an operator, a formula or a rule in ONNX, or is refused with a reason") {
  Lists lists;
  op::for_each(EveryOp(), [&]<class Op>() { lists.add<Op>(); });
  CHECK(lists.without == "");
}

TEST_CASE("docs/onnx.md lists the ops") {
  Lists lists;
  op::for_each(EveryOp(), [&]<class Op>() { lists.add<Op>(); });
  auto const page = std::filesystem::path(__FILE__).parent_path() / "../../docs/onnx.md";
  std::string const text = read_bytes(page);
  CHECK_MESSAGE(text.find("Operators of ONNX: " + lists.operators + ".\n") != text.npos,
                lists.operators);
  CHECK_MESSAGE(text.find("Formulas of several operators: " + lists.formulas + ".\n") != text.npos,
                lists.formulas);
}

}  // namespace onnx_cases
