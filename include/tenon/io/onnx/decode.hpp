#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/model.hpp>
#include <tenon/io/onnx/source.hpp>

namespace tenon::internal::onnx {

/// Messages may be nested this deep, as in the implementations of protobuf.
inline constexpr int most_depth = 100;

/// Decodes a `ModelProto`. Raw bytes of tensors remain in the source, which `owner` keeps in
/// memory. Fields that Tenon does not know are skipped. Throws `FileError`.
Model decode(Source& source, ExternalFiles& files, std::shared_ptr<void const> owner);

struct ReadOptions {
  /// The memory of what is read may exceed the size of the file by this many bytes.
  std::uint64_t most_extra_memory = std::uint64_t{1} << 30;
};

/// Reads a model and the files with its external data. Elements of tensors remain in the mapped
/// files, except those of typed fields. Throws `FileError`.
Model read(std::filesystem::path const& path, ReadOptions options = {});

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <tenon/io/file.hpp>
#include <tenon/io/onnx/field_reader.hpp>
#include <tenon/io/onnx/tensor_reader.hpp>

// The numbers of fields are those of onnx.proto3.
namespace tenon::internal::onnx {

class Decoder {
 public:
  Decoder(Source& source, ExternalFiles& files, std::shared_ptr<void const> owner)
      : values_(source), files_(files), owner_(std::move(owner)) {}

  /// Reads a message into a struct.
  template <class M>
  void read(std::string_view message, M& x) {
    each(message, [&](Field const& f) { field(f, x); });
  }

  Model read() {
    Model model;
    model.ir_version = 0;
    read(values_.source().bytes(), model);
    if (!has_graph_) values_.source().refuse({}, "a model of ONNX, with a graph", "none");
    return model;
  }

 private:
  void field(Field const& f, Model& x) {
    if (f.number == 1) x.ir_version = values_.integer(f);
    if (f.number == 2) x.producer_name = values_.text(f);
    if (f.number == 3) x.producer_version = values_.text(f);
    if (f.number == 4) x.domain = values_.text(f);
    if (f.number == 5) x.model_version = values_.integer(f);
    if (f.number == 6) x.doc = values_.text(f);
    if (f.number == 7) has_graph_ = true, graph(f, x.graph);
    if (f.number == 8) message(f, x.opset_imports);
    if (f.number == 14) property(f, x.metadata);
    if (f.number == 25) message(f, x.functions);
  }

  void field(Field const& f, Graph& x) {
    if (f.number == 1) message(f, x.nodes);
    if (f.number == 2) x.name = values_.text(f);
    if (f.number == 5) tensor(f, x.initializers);
    if (f.number == 10) x.doc = values_.text(f);
    if (f.number == 11) message(f, x.inputs);
    if (f.number == 12) message(f, x.outputs);
    if (f.number == 13) message(f, x.value_info);
    if (f.number == 16) property(f, x.metadata);
  }

  void field(Field const& f, Node& x) {
    if (f.number == 1) x.inputs.push_back(values_.text(f));
    if (f.number == 2) x.outputs.push_back(values_.text(f));
    if (f.number == 3) x.name = values_.text(f);
    if (f.number == 4) x.op_type = values_.text(f);
    if (f.number == 5) attribute(f, x.attributes);
    if (f.number == 6) x.doc = values_.text(f);
    if (f.number == 7) x.domain = values_.text(f);
    if (f.number == 8) x.overload = values_.text(f);
    if (f.number == 9) property(f, x.metadata);
  }

  void field(Field const& f, Attribute& x) {
    if (f.number == 1) x.name = values_.text(f);
    if (f.number == 2) as<float>(f, x) = values_.number(f);
    if (f.number == 3) as<std::int64_t>(f, x) = values_.integer(f);
    if (f.number == 4) as<std::string>(f, x) = values_.string(f);
    if (f.number == 5) as<TensorData>(f, x) = tensor(f);
    if (f.number == 6) as<std::shared_ptr<Graph const>>(f, x) = graph(f);
    if (f.number == 7) floats(f, as<std::vector<float>>(f, x));
    if (f.number == 8) integers(f, as<std::vector<std::int64_t>>(f, x));
    if (f.number == 9) as<std::vector<std::string>>(f, x).push_back(values_.string(f));
    if (f.number == 10) tensor(f, as<std::vector<TensorData>>(f, x));
    if (f.number == 11) as<std::vector<std::shared_ptr<Graph const>>>(f, x).push_back(graph(f));
    if (f.number == 13) x.doc = values_.text(f);
    if (f.number == 20) x.type = static_cast<AttributeType>(values_.integer(f));
    if (f.number == 21) x.reference = values_.text(f);
  }
  template <class T>
  T& as(Field const& f, Attribute& x) {
    return value_as<T>(x, values_.source(), f);
  }

  void field(Field const& f, ValueInfo& x) {
    if (f.number == 1) x.name = values_.text(f);
    if (f.number == 2) each_within(f, 1, [&](Field const& type) { tensor_type(type, x); });
    if (f.number == 3) x.doc = values_.text(f);
  }
  /// `TypeProto.Tensor`.
  void tensor_type(Field const& f, ValueInfo& x) {
    each(values_.bytes(f), [&](Field const& g) {
      if (g.number == 1) x.dtype = values_.dtype(g);
      if (g.number == 2) x.dims.emplace();
      if (g.number == 2) each_within(g, 1, [&](Field const& dim) { message(dim, *x.dims); });
    });
  }
  /// A dimension without a field is one of unknown size and no name.
  void field(Field const& f, Dimension& x) {
    if (f.number == 1) x = values_.integer(f);
    if (f.number == 2) x = values_.text(f);
  }

  void field(Field const& f, OpsetImport& x) {
    if (f.number == 1) x.domain = values_.text(f);
    if (f.number == 2) x.version = values_.integer(f);
  }

  void field(Field const& f, Function& x) {
    if (f.number == 1) x.name = values_.text(f);
    if (f.number == 4) x.inputs.push_back(values_.text(f));
    if (f.number == 5) x.outputs.push_back(values_.text(f));
    if (f.number == 6) x.attributes.push_back(values_.text(f));
    if (f.number == 7) message(f, x.nodes);
    if (f.number == 8) x.doc = values_.text(f);
    if (f.number == 9) message(f, x.opset_imports);
    if (f.number == 10) x.domain = values_.text(f);
    if (f.number == 11) attribute(f, x.default_attributes);
    if (f.number == 12) message(f, x.value_info);
    if (f.number == 13) x.overload = values_.text(f);
    if (f.number == 14) property(f, x.metadata);
  }

  /// Calls take(field) for the fields of a message.
  template <class F>
  void each(std::string_view message, F const& take) {
    Source& source = values_.source();
    if (++depth_ > most_depth)
      source.refuse_at(message.data(), "messages nested at most 100 deep", "more");
    for (FieldReader reader(source, message); !reader.at_end();) take(reader.next());
    --depth_;
  }
  /// Those of one number.
  template <class F>
  void each_within(Field const& f, std::uint32_t number, F const& take) {
    each(values_.bytes(f), [&](Field const& g) {
      if (g.number == number) take(g);
    });
  }

  /// Appends a message to a list.
  template <class M>
  void message(Field const& f, std::vector<M>& list) {
    values_.source().charge(sizeof(M));
    read(values_.bytes(f), list.emplace_back(initial<M>()));
  }
  template <class M>
  static M initial() {
    if constexpr (std::is_same_v<M, Dimension>) return std::string();
    else return M();
  }

  void attribute(Field const& f, std::vector<Attribute>& list) {
    message(f, list);
    finish_attribute(list.back(), values_.source(), f);
  }

  TensorData tensor(Field const& f) {
    values_.source().charge(sizeof(TensorData));
    return TensorReader(values_, values_.bytes(f), files_, owner_).read();
  }
  void tensor(Field const& f, std::vector<TensorData>& list) { list.push_back(tensor(f)); }

  void graph(Field const& f, Graph& x) {
    read(values_.bytes(f), x);
    check_initializers(x);
  }
  std::shared_ptr<Graph const> graph(Field const& f) {
    values_.source().charge(sizeof(Graph));
    auto const x = std::make_shared<Graph>();
    graph(f, *x);
    return x;
  }
  /// Throws if two have one name.
  void check_initializers(Graph const& x) const {
    std::vector<std::string_view> names;
    names.reserve(x.initializers.size());
    for (TensorData const& tensor : x.initializers) names.emplace_back(tensor.name);
    std::ranges::sort(names);
    auto const repeated = std::ranges::adjacent_find(names);
    if (repeated != names.end())
      values_.source().refuse(*repeated, "initialisers of different names", "this name again");
  }

  void property(Field const& f, Properties& list) {
    std::string key, text;
    each(values_.bytes(f), [&](Field const& g) {
      if (g.number == 1) key = values_.text(g);
      if (g.number == 2) text = values_.text(g);
    });
    auto const [place, is_new] = list.try_emplace(std::move(key), std::move(text));
    if (!is_new)
      values_.source().refuse(place->first, "metadata of different names", "this name again");
  }

  void floats(Field const& f, std::vector<float>& list) {
    values_.each_fixed(f, WireType::fixed32, [&](std::uint64_t bits) {
      values_.source().charge(sizeof(float));
      list.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    });
  }
  void integers(Field const& f, std::vector<std::int64_t>& list) {
    values_.each_varint(f, [&](std::uint64_t number) {
      values_.source().charge(sizeof number);
      list.push_back(static_cast<std::int64_t>(number));
    });
  }

  Values values_;
  ExternalFiles& files_;
  std::shared_ptr<void const> owner_;
  int depth_ = 0;
  bool has_graph_ = false;
};

TENON_RUNTIME Model decode(Source& source, ExternalFiles& files,
                           std::shared_ptr<void const> owner) {
  return Decoder(source, files, std::move(owner)).read();
}

TENON_RUNTIME Model read(std::filesystem::path const& path, ReadOptions options) {
  InputFile const file(path, reading);
  auto const mapped = std::make_shared<MappedFile const>(file);
  std::string_view const bytes(reinterpret_cast<char const*>(mapped->data()),
                               std::size_t{file.size()});
  Source source(bytes, file.name(), file.size() + options.most_extra_memory);
  ExternalFiles files(path);
  return decode(source, files, mapped);
}

}  // namespace tenon::internal::onnx

#endif
