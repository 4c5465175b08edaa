#pragma once

#include <string>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/atomic_file.hpp>
#include <tenon/io/onnx/encode.hpp>
#include <tenon/io/onnx/write.hpp>

namespace tenon::internal::onnx {

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
