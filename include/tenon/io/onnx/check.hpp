#pragma once

#include <cstdint>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/model.hpp>
#include <tenon/io/onnx/write.hpp>

namespace tenon::internal::onnx {

/// The versions of the IR (`ir_version`) that are known: from the first with opset imports to that
/// of the package `onnx` 1.23.
inline constexpr std::int64_t first_ir_version = 3, last_ir_version = 14;

/// Checks the structure of a model as in section "Graphs" of IR.md: the IR version is known; every
/// domain of an operator is imported, once; a value is defined before it is used, once, also in
/// nested graphs (SSA); names of nodes, attributes and functions are unique; outputs are defined.
/// Operators themselves are not checked. `who` and `where` are the operation and the file in
/// messages. Throws `ValueError`. Python: `onnx.checker.check_model`.
void check(Model const& model, std::string_view where = {}, std::string_view who = writing);

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME

#include <set>
#include <string>
#include <tuple>
#include <unordered_set>
#include <variant>
#include <vector>

#include <tenon/core/error.hpp>

namespace tenon::internal::onnx {

using Names = std::unordered_set<std::string_view>;

/// The values that are defined in a graph, and in the graphs around it.
struct Scope {
  Scope const* outer = nullptr;
  Names names{};

  bool has(std::string_view name) const {
    return names.contains(name) || (outer && outer->has(name));
  }
};

class StructureCheck {
 public:
  StructureCheck(std::string_view where, std::string_view who) : where_(where), who_(who) {}

  void model(Model const& x) {
    if (x.ir_version < first_ir_version || x.ir_version > last_ir_version)
      refuse({}, "an IR version from 3 to 14", std::to_string(x.ir_version));
    Names const domains = imports(x.opset_imports);
    graph(x.graph, domains, nullptr);
    std::set<std::tuple<std::string_view, std::string_view, std::string_view>> functions;
    for (Function const& one : x.functions) {
      if (!functions.emplace(one.domain, one.name, one.overload).second)
        refuse(one.name, "functions of different names", "this name again");
      function(one);
    }
  }

 private:
  /// The domains; the empty one is also `ai.onnx`.
  Names imports(std::vector<OpsetImport> const& list) const {
    Names domains;
    for (OpsetImport const& one : list) {
      if (one.version < 1)
        refuse(one.domain, "an opset version of at least 1", std::to_string(one.version));
      once(domains, domain_of(one.domain), "one opset import of a domain");
    }
    return domains;
  }
  static std::string_view domain_of(std::string_view name) {
    return name.empty() ? "ai.onnx" : name;
  }

  /// An initialiser may have the name of an input, whose default it then is.
  void graph(Graph const& x, Names const& domains, Scope const* outer) {
    Scope scope{outer};
    Names initializers;
    for (ValueInfo const& input : x.inputs) once(scope.names, input.name, "inputs of unique names");
    for (TensorData const& tensor : x.initializers) {
      once(initializers, tensor.name, "initialisers of unique names");
      scope.names.insert(tensor.name);
    }
    nodes(x.nodes, domains, scope);
    for (ValueInfo const& output : x.outputs) defined(scope, output.name, "the outputs");
  }

  void function(Function const& x) {
    Names const domains = imports(x.opset_imports);
    Scope scope;
    for (std::string const& input : x.inputs) once(scope.names, input, "inputs of unique names");
    is_function_ = true;
    nodes(x.nodes, domains, scope);
    is_function_ = false;
    for (std::string const& output : x.outputs) defined(scope, output, "the outputs");
  }

  void nodes(std::vector<Node> const& list, Names const& domains, Scope& scope) {
    Names names;
    for (Node const& x : list) {
      if (!x.name.empty()) once(names, x.name, "nodes of unique names");
      if (x.op_type.empty()) refuse(x.name, "the type of an operator", "none");
      if (!domains.contains(domain_of(x.domain)))
        refuse(x.op_type, "an opset import of " + std::string(domain_of(x.domain)), "none");
      for (std::string const& input : x.inputs) {
        if (!input.empty()) defined(scope, input, x.op_type);
      }
      attributes(x, domains, scope);
      outputs(x, scope);
    }
  }

  void outputs(Node const& x, Scope& scope) const {
    for (std::string const& output : x.outputs) {
      if (output.empty()) continue;
      if (scope.has(output)) refuse(output, "a value that is defined once", "it again");
      scope.names.insert(output);
    }
  }

  void attributes(Node const& node, Names const& domains, Scope const& scope) {
    Names names;
    for (Attribute const& x : node.attributes) {
      once(names, x.name, "attributes of unique names");
      if (!x.reference.empty() && !is_function_)
        refuse(x.name, "a value outside of functions", "a reference to '" + x.reference + "'");
      if (auto const* const one = std::get_if<std::shared_ptr<Graph const>>(&x.value))
        graph(**one, domains, &scope);
      if (auto const* const list = std::get_if<std::vector<std::shared_ptr<Graph const>>>(&x.value))
        for (auto const& one : *list) graph(*one, domains, &scope);
    }
  }

  void defined(Scope const& scope, std::string_view name, std::string const& user) const {
    if (!scope.has(name)) refuse(name, "a value that is defined before " + user, "none");
  }

  void once(Names& names, std::string_view name, std::string const& expected) const {
    if (name.empty()) refuse({}, expected, "an empty name");
    if (!names.insert(name).second) refuse(name, expected, "this name again");
  }

  [[noreturn]] void refuse(std::string_view what, std::string const& expected,
                           std::string const& got) const {
    fail<ValueError>({who_, what, escaped(expected), escaped(got), where_});
  }

  std::string_view where_, who_;
  bool is_function_ = false;
};

TENON_RUNTIME void check(Model const& model, std::string_view where, std::string_view who) {
  StructureCheck(where, who).model(model);
}

}  // namespace tenon::internal::onnx

#endif
