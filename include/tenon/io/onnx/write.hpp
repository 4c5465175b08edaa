#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/model.hpp>

namespace tenon::internal::onnx {

class MessageWriter;

/// The operation in messages about a file that is written.
inline constexpr std::string_view writing = "onnx::save";

/// Writes the fields of a `ModelProto`, in the order of their numbers. Fields without a value are
/// left out. `where` is the file in messages. Throws `ValueError` for a text that is not UTF-8,
/// elements that do not fill their tensor, and an attribute without a value.
void encode(MessageWriter& to, Model const& model, std::string_view where);

struct WriteOptions {
  /// Elements of initialisers of more bytes in total are written to a second file. (The default:
  /// what a message of protobuf can hold, less 64 MiB for everything else.)
  std::uint64_t most_bytes_inside = (std::uint64_t{1} << 31) - (std::uint64_t{1} << 26);
};

/// Initialisers of less bytes stay in the model, as in the package `onnx`.
inline constexpr std::size_t least_bytes_outside = 1024;

/// The alignment of tensors in the second file.
inline constexpr std::uint64_t external_alignment = 64;

/// Writes a model to a file, atomically. If its initialisers are larger than the limit, their
/// elements are in a second file beside it, `<name>.data`, which is replaced before the model is.
/// Elements are written from where they are. Throws `FileError`, and `ValueError` for a text that
/// is not UTF-8 or elements that do not fill their tensor.
void write(Model const& model, std::filesystem::path const& path, WriteOptions options = {});

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/io/atomic_file.hpp>
#include <tenon/io/onnx/wire.hpp>
#include <tenon/io/utf8.hpp>

// The numbers are those of onnx.proto3.
namespace tenon::internal::onnx {

/// Fields of messages. A text without characters, and a list without elements, is left out.
class Encoder {
 public:
  Encoder(MessageWriter& to, std::string_view where) : to_(to), where_(where) {}

  void fields(Model const& x) {
    to_.integer(1, x.ir_version);
    text(2, x.producer_name);
    text(3, x.producer_version);
    text(4, x.domain);
    if (x.model_version != 0) to_.integer(5, x.model_version);
    text(6, x.doc);
    message(7, x.graph);
    messages(8, x.opset_imports);
    properties(14, x.metadata);
    messages(25, x.functions);
  }

 private:
  void fields(Graph const& x) {
    messages(1, x.nodes);
    text(2, x.name);
    messages(5, x.initializers);
    text(10, x.doc);
    messages(11, x.inputs);
    messages(12, x.outputs);
    messages(13, x.value_info);
    properties(16, x.metadata);
  }

  void fields(Node const& x) {
    texts(1, x.inputs);
    texts(2, x.outputs);
    text(3, x.name);
    text(4, x.op_type);
    messages(5, x.attributes);
    text(6, x.doc);
    text(7, x.domain);
    text(8, x.overload);
    properties(9, x.metadata);
  }

  void fields(Attribute const& x) {
    if (x.value.index() == 0 && x.reference.empty()) refuse(x.name, "a value", "none");
    text(1, x.name);
    std::visit([&](auto const& value) { this->value(value); }, x.value);
    text(13, x.doc);
    auto const of_value = static_cast<std::int64_t>(x.value.index());
    to_.integer(20, of_value != 0 ? of_value : static_cast<std::int64_t>(x.type));
    text(21, x.reference);
  }

  void value(std::monostate) {}
  void value(float x) { to_.number(2, x); }
  void value(std::int64_t x) { to_.integer(3, x); }
  void value(std::string const& x) { to_.bytes(4, x.data(), x.size()); }
  void value(TensorData const& x) { message(5, x); }
  void value(std::shared_ptr<Graph const> const& x) { graph(6, x); }
  void value(std::vector<float> const& x) {
    for (float const number : x) to_.number(7, number);
  }
  void value(std::vector<std::int64_t> const& x) { integers(8, x); }
  void value(std::vector<std::string> const& x) { texts(9, x); }
  void value(std::vector<TensorData> const& x) { messages(10, x); }
  void value(std::vector<std::shared_ptr<Graph const>> const& x) {
    for (auto const& one : x) graph(11, one);
  }

  void graph(std::uint32_t field, std::shared_ptr<Graph const> const& x) {
    if (!x) refuse({}, "a graph", "none");
    message(field, *x);
  }

  void fields(TensorData const& x) {
    check(x);
    integers(1, x.dims);
    to_.integer(2, static_cast<std::int64_t>(x.dtype));
    for (std::string const& one : x.strings) to_.bytes(6, one.data(), one.size());
    text(8, x.name);
    bool const is_raw = !x.external && x.dtype != DataType::string;
    if (is_raw) to_.bytes(9, x.bytes.view.data(), x.bytes.view.size());
    text(12, x.doc);
    if (!x.external) return;
    property(13, "location", x.external->location);
    property(13, "offset", std::to_string(x.external->offset));
    property(13, "length", std::to_string(x.external->length));
    to_.integer(14, 1);
  }

  void fields(ValueInfo const& x) {
    text(1, x.name);
    if (x.dtype != DataType::undefined)
      to_.message(2, [&] { to_.message(1, [&] { tensor_type(x); }); });
    text(3, x.doc);
  }
  void tensor_type(ValueInfo const& x) {
    to_.integer(1, static_cast<std::int64_t>(x.dtype));
    if (x.dims) to_.message(2, [&] { messages(1, *x.dims); });
  }
  void fields(Dimension const& x) {
    if (auto const* const size = std::get_if<std::int64_t>(&x)) to_.integer(1, *size);
    else text(2, std::get<std::string>(x));
  }

  void fields(OpsetImport const& x) {
    exact_text(1, x.domain);
    to_.integer(2, x.version);
  }

  void fields(Function const& x) {
    text(1, x.name);
    texts(4, x.inputs);
    texts(5, x.outputs);
    texts(6, x.attributes);
    messages(7, x.nodes);
    text(8, x.doc);
    messages(9, x.opset_imports);
    text(10, x.domain);
    messages(11, x.default_attributes);
    messages(12, x.value_info);
    text(13, x.overload);
    properties(14, x.metadata);
  }

  template <class M>
  void message(std::uint32_t field, M const& x) {
    to_.message(field, [&] { fields(x); });
  }
  template <class M>
  void messages(std::uint32_t field, std::vector<M> const& list) {
    for (M const& x : list) message(field, x);
  }

  void property(std::uint32_t field, std::string_view key, std::string_view text) {
    to_.message(field, [&] {
      exact_text(1, key);
      exact_text(2, text);
    });
  }
  void properties(std::uint32_t field, Properties const& list) {
    for (auto const& [key, text] : list) property(field, key, text);
  }

  void exact_text(std::uint32_t field, std::string_view text) {
    if (!is_utf8(text)) refuse(text.substr(0, utf8_end(text)), "a text of UTF-8", "other bytes");
    to_.text(field, text);
  }
  void text(std::uint32_t field, std::string const& text) {
    if (!text.empty()) exact_text(field, text);
  }
  void texts(std::uint32_t field, std::vector<std::string> const& list) {
    for (std::string const& text : list) exact_text(field, text);
  }
  void integers(std::uint32_t field, std::vector<std::int64_t> const& list) {
    for (std::int64_t const number : list) to_.integer(field, number);
  }

  /// Elements of a tensor must fill it.
  void check(TensorData const& x) const {
    FileDtype const* const dtype = file_dtype_of(x.dtype);
    if (!dtype) refuse(x.name, "a dtype of ONNX", std::to_string(static_cast<int>(x.dtype)));
    bool const is_string = x.dtype == DataType::string;
    auto const wanted = bytes_of_elements(x.dims, is_string ? 8 : dtype->bits);
    std::uint64_t const bytes = x.external ? x.external->length : x.bytes.view.size();
    std::uint64_t const got = is_string ? x.strings.size() : bytes;
    std::string const unit = is_string ? " strings" : " bytes";
    if (!wanted) refuse(x.name, "a shape of less than 2^60 bytes", "another");
    if (*wanted != got)
      refuse(x.name, std::to_string(*wanted) + unit + " for its shape", std::to_string(got) + unit);
  }

  [[noreturn]] void refuse(std::string_view what, std::string const& expected,
                           std::string const& got) const {
    fail<ValueError>({writing, what, expected, got, where_});
  }

  MessageWriter& to_;
  std::string_view where_;
};

TENON_RUNTIME void encode(MessageWriter& to, Model const& model, std::string_view where) {
  Encoder(to, where).fields(model);
}

/// Collects small parts of a file; large ones are written from where they are.
class BufferedFile {
 public:
  explicit BufferedFile(AtomicFile& file) : file_(file) {}

  void write(void const* data, std::size_t bytes) {
    if (bytes >= capacity) {
      flush();
      return file_.write(data, bytes);
    }
    buffer_.append(static_cast<char const*>(data), bytes);
    if (buffer_.size() >= capacity) flush();
  }

  void flush() {
    file_.write(buffer_);
    buffer_.clear();
  }

 private:
  static constexpr std::size_t capacity = 1 << 16;

  AtomicFile& file_;
  std::string buffer_{};
};

TENON_RUNTIME std::uint64_t bytes_of_initializers(Model const& model) {
  std::uint64_t bytes = 0;
  for (TensorData const& x : model.graph.initializers) bytes += x.bytes.view.size();
  return bytes;
}

/// Gives every large initialiser its place in the second file.
TENON_RUNTIME void place_outside(Model& model, std::string const& location) {
  std::uint64_t end = 0;
  for (TensorData& x : model.graph.initializers) {
    if (x.external || x.bytes.view.size() < least_bytes_outside) continue;
    end = (end + external_alignment - 1) / external_alignment * external_alignment;
    x.external = ExternalData{location, end, x.bytes.view.size()};
    end += x.bytes.view.size();
  }
}

/// Writes the elements that `place_outside` has given a place.
TENON_RUNTIME void write_outside(Model const& model, std::string const& location,
                                 std::filesystem::path const& path) {
  AtomicFile file(path, writing);
  std::uint64_t end = 0;
  for (TensorData const& x : model.graph.initializers) {
    if (!x.external || x.external->location != location || x.bytes.view.empty()) continue;
    file.write(std::string(x.external->offset - end, '\0'));
    file.write(x.bytes.view.data(), x.bytes.view.size());
    end = x.external->offset + x.external->length;
  }
  file.commit();
}

TENON_RUNTIME void write_message(Model const& model, std::filesystem::path const& path) {
  MessageWriter writer;
  encode(writer, model, path.string());
  if (writer.size() > most_message_bytes) {
    std::string const got = std::to_string(writer.size()) + " bytes";
    fail<FileError>({writing, {}, "a model of less than 2 GiB", got, path.string()});
  }
  AtomicFile file(path, writing);
  BufferedFile buffered(file);
  writer.produce([&](void const* data, std::size_t bytes) { buffered.write(data, bytes); });
  encode(writer, model, path.string());
  buffered.flush();
  file.commit();
}

TENON_RUNTIME void write(Model const& model, std::filesystem::path const& path,
                         WriteOptions options) {
  if (bytes_of_initializers(model) <= options.most_bytes_inside) return write_message(model, path);
  auto outside = path;
  outside += ".data";
  std::u8string const name = outside.filename().u8string();
  std::string const location(name.begin(), name.end());
  Model placed = model;
  place_outside(placed, location);
  write_outside(placed, location, outside);
  write_message(placed, path);
}

}  // namespace tenon::internal::onnx

#endif
