#pragma once

// The format of TensorFlow's event files: records with checksums, each a message Event of protobuf
// (tensorflow/core/lib/io/record_writer.h, tensorflow/core/util/event.proto, summary.proto).

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <random>

#include <tenon/core/error.hpp>
#include <tenon/io/file.hpp>
#include <tenon/io/onnx/wire.hpp>
#include <tenon/train/checkpoints/folder_lock.hpp>
#include <tenon/train/run/png.hpp>
#include <tenon/train/run/time_text.hpp>

namespace tenon::internal::training {

/// The checksum of a record: a record may contain records with checksums of their own.
inline std::uint32_t masked_crc32c(std::string_view bytes) {
  std::uint32_t const crc = crc32<0x82f63b78u>(bytes);  // Castagnoli's, RFC 3720, appendix B.4
  return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

template <class Number>
std::string bytes_of(Number number) {
  auto const bytes = onnx::little_endian<Number>(number);
  return {bytes.begin(), bytes.end()};
}

/// A message of protobuf.
inline std::string message_of(std::function<void(onnx::MessageWriter&)> const& fields) {
  onnx::MessageWriter writer;
  fields(writer);
  std::string bytes;
  writer.produce([&](void const* data, std::size_t size) {
    bytes.append(static_cast<char const*>(data), size);
  });
  fields(writer);
  return bytes;
}

/// The numbers of the fields of the messages Event, Summary, Summary.Value, and so on.
namespace event {
inline constexpr std::uint32_t wall_time = 1, step = 2, file_version = 3, summary = 5,
                               session_log = 7;
inline constexpr std::uint32_t value = 1;  // of Summary
inline constexpr std::uint32_t tag = 1, simple_value = 2, image = 4, histogram = 5, tensor = 8,
                               metadata = 9;
inline constexpr std::uint32_t plugin_data = 1, plugin_name = 1;  // of SummaryMetadata
inline constexpr std::uint32_t dtype = 1, tensor_shape = 2, string_val = 8, dt_string = 7;
inline constexpr std::uint32_t dim = 2, dim_size = 1;         // of TensorShapeProto
inline constexpr std::uint32_t status = 1, start = 1;         // of SessionLog
inline constexpr std::uint32_t bucket_limit = 6, bucket = 7;  // of HistogramProto
inline constexpr std::uint32_t height = 1, width = 2, colorspace = 3, encoded = 4;  // of Image
}  // namespace event

/// A Summary with one Value, in an Event.
template <class F>
void write_value(onnx::MessageWriter& writer, std::string_view tag, F const& content) {
  writer.message(event::summary, [&] {
    writer.message(event::value, [&] {
      writer.text(event::tag, tag);
      content();
    });
  });
}

inline constexpr std::size_t histogram_buckets = 30;

/// The message HistogramProto, of buckets of equal width.
struct Histogram {
  std::array<double, 5> moments{};  // least, greatest, number, sum, sum of squares
  std::string limits{}, counts{};   // doubles

  explicit Histogram(std::span<double const> all) {
    std::vector<double> values;
    std::ranges::copy_if(all, std::back_inserter(values),
                         [](double x) { return std::isfinite(x); });
    if (values.empty()) return;
    auto const [least, most] = std::ranges::minmax(values);
    moments = {least, most, static_cast<double>(values.size()), 0, 0};
    for (double const x : values) moments[3] += x, moments[4] += x * x;
    count(values, least, most);
  }

 private:
  void count(std::vector<double> const& values, double least, double most) {
    constexpr auto buckets = static_cast<double>(histogram_buckets);
    double width = most / buckets - least / buckets;
    if (!(width > 0)) width = 1;  // of equal values, and where it would be too small a number
    std::array<double, histogram_buckets> numbers{};
    for (double const x : values)
      ++numbers[(std::min)(static_cast<std::size_t>(x / width - least / width),
                           histogram_buckets - 1)];
    for (std::size_t i = 0; i < histogram_buckets; ++i) {
      limits += bytes_of(std::bit_cast<std::uint64_t>(least + width * static_cast<double>(i + 1)));
      counts += bytes_of(std::bit_cast<std::uint64_t>(numbers[i]));
    }
  }
};

/// Numbers from 0 to 255 as bytes, the channels of a pixel together; 0 for NaN.
inline std::string bytes_by_pixel(std::span<double const> numbers, std::int64_t channels) {
  std::string bytes;
  std::size_t const count = static_cast<std::size_t>(channels), size = numbers.size() / count;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    double const x = numbers[i % count * size + i / count];
    bytes += static_cast<char>(
        static_cast<unsigned char>(std::isnan(x) ? 0 : std::clamp(x, 0.0, 255.0)));
  }
  return bytes;
}

/// `events.out.tfevents.1764331200.250000.8d1f03a2`: TensorBoard reads the files of a folder in
/// the order of their names.
inline std::string event_file_name() {
  auto const now = std::chrono::system_clock::now();
  unsigned const number = std::random_device{}();
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "events.out.tfevents.%.6f.%08x", unix_seconds(now),
                number);
  return text.data();
}

}  // namespace tenon::internal::training

namespace tenon::training {

TENON_RUNTIME SummaryWriter::SummaryWriter(std::filesystem::path const& folder) {
  using namespace internal::training;
  create_folder(folder, "SummaryWriter");
  name_ = (folder / event_file_name()).string();
  file_.reset(std::fopen(name_.c_str(), "ab"));
  if (file_) std::setvbuf(file_.get(), nullptr, _IONBF, 0);
  add_event(0, [](auto& writer) { writer.text(event::file_version, "brain.Event:2"); });
}

TENON_RUNTIME void SummaryWriter::remove_after(std::int64_t step) {
  using namespace internal::training;
  add_event(step + 1, [](auto& writer) {
    writer.message(event::session_log, [&] { writer.integer(event::status, event::start); });
  });
}

TENON_RUNTIME void SummaryWriter::add_scalar(std::string_view tag, double value,
                                             std::int64_t step) {
  using namespace internal::training;
  add_event(step, [&](auto& writer) {
    write_value(writer, tag,
                [&] { writer.number(event::simple_value, static_cast<float>(value)); });
  });
}

TENON_RUNTIME void SummaryWriter::add_text(std::string_view tag, std::string_view text,
                                           std::int64_t step) {
  using namespace internal::training;
  add_event(step, [&](auto& writer) {
    write_value(writer, std::string(tag) + "/text_summary", [&] {
      writer.message(event::tensor, [&] {
        writer.integer(event::dtype, event::dt_string);
        writer.message(event::tensor_shape, [&] {
          writer.message(event::dim, [&] { writer.integer(event::dim_size, 1); });
        });
        writer.text(event::string_val, text);
      });
      writer.message(event::metadata, [&] {
        writer.message(event::plugin_data, [&] { writer.text(event::plugin_name, "text"); });
      });
    });
  });
}

TENON_RUNTIME void SummaryWriter::add_histogram(std::string_view tag,
                                                std::span<double const> values, std::int64_t step) {
  using namespace internal::training;
  Histogram const histogram(values);
  add_event(step, [&](auto& writer) {
    write_value(writer, tag, [&] {
      writer.message(event::histogram, [&] {
        for (std::uint32_t i = 0; i < 5; ++i) writer.number(i + 1, histogram.moments[i]);
        writer.text(event::bucket_limit, histogram.limits);
        writer.text(event::bucket, histogram.counts);
      });
    });
  });
}

TENON_RUNTIME void SummaryWriter::add_image(std::string_view tag, std::span<double const> pixels,
                                            ImageSizes sizes, std::int64_t step) {
  using namespace internal::training;
  auto const [channels, height, width] = sizes;
  if (channels < 1 || channels > 4 || pixels.empty())
    internal::fail<ShapeError>({"SummaryWriter",
                                tag,
                                "an image of 1 to 4 channels",
                                std::to_string(channels) + " of " + std::to_string(height) + " x " +
                                    std::to_string(width) + " pixels",
                                {}});
  std::string const png = encode_png(bytes_by_pixel(pixels, channels), height, width, channels);
  add_event(step, [&](auto& writer) {
    write_value(writer, tag, [&] {
      writer.message(event::image, [&] {
        writer.integer(event::height, height);
        writer.integer(event::width, width);
        writer.integer(event::colorspace, channels);
        writer.text(event::encoded, png);
      });
    });
  });
}

TENON_RUNTIME void SummaryWriter::write(std::int64_t step, std::span<Scalar const> scalars) {
  for (Scalar const& scalar : scalars) add_scalar(scalar.name, scalar.value, step);
}

TENON_RUNTIME void SummaryWriter::add_event(std::int64_t step, Fields const& fields) {
  using namespace internal::training;
  double const now = unix_seconds(std::chrono::system_clock::now());
  add_record(message_of([&](internal::onnx::MessageWriter& writer) {
    writer.number(event::wall_time, now);
    writer.integer(event::step, step);
    fields(writer);
  }));
}

/// A record is given to the system in one call. (A reader ignores a last one that is incomplete.)
TENON_RUNTIME void SummaryWriter::add_record(std::string_view data) {
  using namespace internal::training;
  std::uint64_t const length = data.size();
  std::string record = bytes_of(length);
  record += bytes_of(masked_crc32c(record));
  record.append(data).append(bytes_of(masked_crc32c(data)));
  std::scoped_lock const lock(mutex_);
  errno = file_ ? 0 : errno;
  if (file_ && std::fwrite(record.data(), 1, record.size(), file_.get()) == record.size()) return;
  internal::fail<FileError>({.who = "SummaryWriter",
                             .expected = "a file that can be written",
                             .got = internal::system_words(errno),
                             .where = name_});
}

}  // namespace tenon::training
