#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/autodiff/grad.hpp>
#include <tenon/core/call.hpp>
#include <tenon/core/config.hpp>
#include <tenon/tensor/print.hpp>
#include <tenon/train/inspect/forward_kernels.hpp>
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

/// The tensors of a model, and their sums; of `summary(model, input...)` also the kernels.
struct Summary {
  std::vector<SummaryRow> rows;
  std::int64_t elements = 0;
  std::int64_t trainable = 0;  ///< Elements that have a gradient.
  std::int64_t bytes = 0;
  std::vector<internal::training::ForwardKernel> kernels{};
  bool has_input = false;
  std::int64_t input_bytes = 0;

  /// The sizes of the result of the last kernel that reads a parameter of the field `path`: its
  /// output, "(32, 10)"; empty if there is none.
  std::string output(std::string_view path) const;

  /// The multiplications in kernels whose contractions read a parameter of the field `path`; of the
  /// field "", those of all kernels.
  std::int64_t multiply_adds(std::string_view path = "") const;

  /// The bytes of the results of all kernels.
  std::int64_t forward_bytes() const;

  /// A table of the fields as a tree, with the sums, in the manner of torchinfo.
  std::string text() const;
};

}  // namespace tenon::training

namespace tenon::internal::training {

using tenon::training::Summary;

template <class X>
std::int64_t bytes_of_tensor(X const& x) {
  return x.size() * static_cast<std::int64_t>(sizeof(typename X::value_type));
}

/// The tensors of a model, any tree, with paths, shapes and sizes; those in `Frozen`, and integers,
/// are not trainable. Nothing is computed, so there are no shapes of outputs. PyTorch:
/// `torchinfo.summary(model)`.
template <class Model>
Summary summary(Model const& model) {
  std::set<std::string> trainable;
  tree::for_each([&](tree::Path const& path, auto const&) { trainable.insert(path.text()); },
                 model);
  Summary found;
  auto const add = [&]<class X>(tree::Path const& path, X const& x) {
    std::int64_t const bytes = bytes_of_tensor(x);
    std::string const name = path.text();
    bool const learned = trainable.contains(name);
    found.elements += x.size();
    found.trainable += learned ? x.size() : 0;
    found.bytes += bytes;
    found.rows.push_back({name, describe_tensor(x), x.size(), bytes, learned});
  };
  tree::for_each<AnyTensor>(add, model);
  return found;
}

/// The same with the outputs of the fields and the multiplications, from one call of
/// `model(input...)`, which computes and needs the memory of a forward pass. Kernels are observed:
/// tensors of up to 256 bytes in registers, fused attention and eager functions have none; a kernel
/// inside `checkpoint` or `custom_vjp` belongs to no field. PyTorch: `torchinfo.summary(model,
/// input_data=...)`.
template <class Model, class... Input>
  requires(sizeof...(Input) > 0 && CallableWith<Model const&, Input const&...>)
Summary summary(Model const& model, Input const&... input) {
  Summary found = summary(model);
  found.has_input = true;
  found.kernels = forward_kernels(model, input...);
  auto const add = [&](auto const& x) { found.input_bytes += bytes_of_tensor(x); };
  (tree::for_each<AnyTensor>(add, as_value(input)), ...);
  return found;
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::summary;

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <tenon/train/inspect/columns.hpp>

namespace tenon::internal::training {

/// A field, with the fields within it.
struct SummaryField {
  std::string name;
  std::string path;
  tenon::training::SummaryRow const* row = nullptr;  ///< Of a tensor.
  std::int64_t elements = 0;
  std::vector<SummaryField> fields{};

  void add(std::string_view rest, tenon::training::SummaryRow const& tensor) {
    elements += tensor.elements;
    if (rest.empty()) {
      row = &tensor;
      return;
    }
    auto const end = rest.find('.');
    std::string const first(rest.substr(0, end));
    if (fields.empty() || fields.back().name != first)
      fields.push_back({first, path.empty() ? first : path + "." + first, nullptr, 0, {}});
    fields.back().add(end == rest.npos ? "" : rest.substr(end + 1), tensor);
  }

  /// Adds a line for every field; `before` is drawn before their names.
  void add_lines(TextTable& table, Summary const& summary, std::string const& before) const {
    for (SummaryField const& field : fields) {
      bool const is_last = &field == &fields.back();
      field.add_line(table, summary, before + (is_last ? "└─" : "├─"));
      field.add_lines(table, summary, before + (is_last ? "  " : "│ "));
    }
  }
  void add_line(TextTable& table, Summary const& summary, std::string const& before) const {
    std::string const remark = row != nullptr && !row->is_trainable ? "not trained" : "";
    TextTable::TextRow line{before + name, row == nullptr ? "" : row->tensor, remark};
    if (summary.has_input) line.push_back(summary.output(path));
    line.push_back(with_commas(elements));
    if (summary.has_input) line.push_back(with_commas(summary.multiply_adds(path)));
    table.add(std::move(line));
  }
};

inline std::string sums_text(Summary const& summary) {
  std::string text = "Total parameters: " + with_commas(summary.elements) + "\n";
  text += "Trainable parameters: " + with_commas(summary.trainable) + "\n";
  text += "Other parameters: " + with_commas(summary.elements - summary.trainable) + "\n";
  if (!summary.has_input) return text + "Size: " + bytes_text(summary.bytes) + "\n";
  text += "Total mult-adds: " + with_commas(summary.multiply_adds()) + "\n";
  text += "Input size: " + bytes_text(summary.input_bytes) + "\n";
  text += "Forward pass size: " + bytes_text(summary.forward_bytes()) + "\n";
  return text + "Parameters size: " + bytes_text(summary.bytes) + "\n";
}

inline std::string summary_text(Summary const& summary) {
  SummaryField all{"model", "", nullptr, 0, {}};
  for (auto const& row : summary.rows) all.add(row.path, row);
  TextTable::TextRow headings{"field", "tensor", "", "elements"};
  if (summary.has_input) headings = {"field", "tensor", "", "output", "elements", "mult-adds"};
  TextTable table(headings, headings.size() - (summary.has_input ? 2 : 1));
  all.add_line(table, summary, "");
  all.add_lines(table, summary, "");
  return table.text() + table.rule('=') + sums_text(summary) + table.rule('=');
}

}  // namespace tenon::internal::training

namespace tenon::training {

TENON_RUNTIME std::string Summary::output(std::string_view path) const {
  for (std::size_t i = kernels.size(); i-- > 0;)
    if (internal::training::any_within(path, kernels[i].parameters)) return kernels[i].sizes;
  return "";
}

TENON_RUNTIME std::int64_t Summary::multiply_adds(std::string_view path) const {
  std::int64_t sum = 0;
  for (auto const& kernel : kernels)
    if (path.empty() || internal::training::any_within(path, kernel.factors))
      sum += kernel.multiply_adds;
  return sum;
}

TENON_RUNTIME std::int64_t Summary::forward_bytes() const {
  std::int64_t sum = 0;
  for (auto const& kernel : kernels) sum += kernel.bytes;
  return sum;
}

TENON_RUNTIME std::string Summary::text() const { return internal::training::summary_text(*this); }

}  // namespace tenon::training

#endif
