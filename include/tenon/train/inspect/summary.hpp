#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/tensor/print.hpp>
#include <tenon/train/inspect/columns.hpp>
#include <tenon/tree/walk.hpp>

namespace tenon::training {

/// A tensor of a model.
struct SummaryRow {
  std::string path;    ///< `blocks.0.weight`.
  std::string tensor;  ///< Dtype and axes: `float32 "in=784 out=10"`.
  std::int64_t elements = 0;
  std::int64_t bytes = 0;
  bool is_trainable = false;
};

/// The tensors of a model, and their sums.
struct Summary {
  std::vector<SummaryRow> rows;
  std::int64_t elements = 0;
  std::int64_t trainable = 0;  ///< Elements that have a gradient.
  std::int64_t bytes = 0;

  /// A table: the fields as a tree, each with the number of its elements.
  /// The table as torchinfo prints it.
  std::string text() const;
};

}  // namespace tenon::training

namespace tenon::internal::training {

/// Traversal of all tensors.
struct AllTensors {
  template <class T>
  static constexpr bool visits = tree::is_leaf<T>::value;
  static constexpr bool opens_frozen = true;
};

/// A field, with the fields within it.
struct SummaryField {
  std::string name;
  tenon::training::SummaryRow const* row = nullptr;  ///< Of a tensor.
  std::int64_t elements = 0;
  std::vector<SummaryField> fields{};

  void add(std::string_view path, tenon::training::SummaryRow const& tensor) {
    elements += tensor.elements;
    if (path.empty()) {
      row = &tensor;
      return;
    }
    auto const end = path.find('.');
    std::string_view const first = path.substr(0, end);
    if (fields.empty() || fields.back().name != first)
      fields.push_back({std::string(first), nullptr, 0, {}});
    fields.back().add(end == path.npos ? "" : path.substr(end + 1), tensor);
  }

  /// Adds a line for every field; `before` is drawn before their names.
  void add_lines(TextTable& table, std::string const& before) const {
    for (SummaryField const& field : fields) {
      bool const is_last = &field == &fields.back();
      field.add_line(table, before + (is_last ? "└─" : "├─"));
      field.add_lines(table, before + (is_last ? "  " : "│ "));
    }
  }
  void add_line(TextTable& table, std::string const& before) const {
    std::string remark;
    if (row != nullptr && !row->is_trainable) remark = "not trained";
    table.add({before + name, row == nullptr ? "" : row->tensor, remark, with_commas(elements)});
  }
};

inline std::string summary_text(tenon::training::Summary const& summary) {
  SummaryField all{"model", nullptr, 0, {}};
  for (auto const& row : summary.rows) all.add(row.path, row);
  TextTable table({"field", "tensor", "", "elements"}, 3);
  all.add_line(table, "");
  all.add_lines(table, "");
  std::string text = table.text() + table.rule('=');
  text += "Total parameters: " + with_commas(summary.elements) + "\n";
  text += "Trainable parameters: " + with_commas(summary.trainable) + "\n";
  text += "Other parameters: " + with_commas(summary.elements - summary.trainable) + "\n";
  text += "Size: " + bytes_text(summary.bytes) + "\n";
  return text + table.rule('=');
}

/// The tensors of a model, any tree, with paths, shapes and sizes; those in `Frozen`, and integers,
/// are not trainable. Nothing is computed, so there are no shapes of outputs. PyTorch:
/// `torchinfo.summary(model)`.
template <class Model>
tenon::training::Summary summary(Model const& model) {
  std::set<std::string> trainable;
  tree::for_each([&](tree::Path const& path, auto const&) { trainable.insert(path.text()); },
                 model);
  tenon::training::Summary found;
  auto const add = [&]<class X>(tree::Path const& path, X const& x) {
    std::int64_t const bytes = x.size() * static_cast<std::int64_t>(sizeof(typename X::value_type));
    std::string const name = path.text();
    bool const learned = trainable.contains(name);
    found.elements += x.size();
    found.trainable += learned ? x.size() : 0;
    found.bytes += bytes;
    found.rows.push_back({name, describe_tensor(x), x.size(), bytes, learned});
  };
  tree::for_each<AllTensors>(add, model);
  return found;
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::summary;

}  // namespace tenon::training

inline std::string tenon::training::Summary::text() const {
  return internal::training::summary_text(*this);
}
