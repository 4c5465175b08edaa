// docs/onnx.md lists every op with its form in ONNX.

#include "cases.hpp"

#include <tenon/io/onnx/export/lowering.hpp>
#include <tenon/op/list.hpp>

namespace onnx_cases {

namespace {

/// The lists of docs/onnx.md, made from the ops.
struct Lists {
  std::string operators{}, formulas{}, without{};

  template <class Op>
  void add() {
    std::string const name = "`" + std::string(Op::name) + "`";
    if (internal::onnx::has_formula(Op::name)) append(formulas, name);
    else if constexpr (requires { Op::onnx; }) append(operators, name);
    else append(without, name);
  }

 private:
  static void append(std::string& list, std::string const& name) {
    list += (list.empty() ? "" : ", ") + name;
  }
};

}  // namespace

TEST_CASE("docs/onnx.md lists the ops") {
  Lists lists;
  op::for_each(op::All(), [&]<class Op>() { lists.add<Op>(); });
  auto const page = std::filesystem::path(__FILE__).parent_path() / "../../docs/onnx.md";
  std::string const text = read_bytes(page);
  CHECK(lists.without == "");
  CHECK_MESSAGE(text.find("Operators of ONNX: " + lists.operators + ".\n") != text.npos,
                lists.operators);
  CHECK_MESSAGE(text.find("Formulas of several operators: " + lists.formulas + ".\n") != text.npos,
                lists.formulas);
}

}  // namespace onnx_cases
