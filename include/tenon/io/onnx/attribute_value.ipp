#pragma once

#include <array>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/attribute_value.hpp>

namespace tenon::internal::onnx {

/// The name of a type in messages, as in the format.
TENON_RUNTIME std::string attribute_type_name(std::int64_t type) {
  constexpr std::array<std::string_view, 11> names{"no value", "FLOAT",   "INT",    "STRING",
                                                   "TENSOR",   "GRAPH",   "FLOATS", "INTS",
                                                   "STRINGS",  "TENSORS", "GRAPHS"};
  bool const is_known = type >= 0 && type < static_cast<std::int64_t>(names.size());
  return is_known ? std::string(names[static_cast<std::size_t>(type)])
                  : "type " + std::to_string(type);
}

TENON_RUNTIME void refuse_value(Source const& source, Field const& field, AttributeType expected,
                                std::size_t got) {
  source.refuse_at(field.at,
                   "an attribute of " + attribute_type_name(static_cast<std::int64_t>(expected)),
                   attribute_type_name(static_cast<std::int64_t>(got)));
}

/// A tensor and a graph have no default.
TENON_RUNTIME bool set_default(Attribute& x) {
  if (x.type == AttributeType::float_) x.value = 0.0f;
  else if (x.type == AttributeType::integer) x.value = std::int64_t{0};
  else if (x.type == AttributeType::string) x.value = std::string();
  else if (x.type == AttributeType::floats) x.value = std::vector<float>();
  else if (x.type == AttributeType::integers) x.value = std::vector<std::int64_t>();
  else if (x.type == AttributeType::strings) x.value = std::vector<std::string>();
  else if (x.type == AttributeType::tensors) x.value = std::vector<TensorData>();
  else if (x.type == AttributeType::graphs) x.value = std::vector<std::shared_ptr<Graph const>>();
  else return x.type != AttributeType::tensor && x.type != AttributeType::graph;
  return true;
}

TENON_RUNTIME void finish_attribute(Attribute& x, Source const& source, Field const& field) {
  auto const type = static_cast<std::int64_t>(x.type);
  bool const has_value = x.value.index() != 0;
  bool const differs = has_value && static_cast<std::size_t>(x.type) != x.value.index();
  if (type != 0 && differs) refuse_value(source, field, x.type, x.value.index());
  if (has_value || !x.reference.empty()) return;
  if (!set_default(x)) refuse_value(source, field, x.type, 0);
}

}  // namespace tenon::internal::onnx
