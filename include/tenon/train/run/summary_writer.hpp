#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/map/operators.hpp>
#include <tenon/train/run/metrics_sink.hpp>

namespace tenon::internal::onnx {
class MessageWriter;
}

namespace tenon::training {

/// A file of events for TensorBoard, `events.out.tfevents.*` in a folder: `tensorboard --logdir
/// runs`. As a sink of a run it gets the metrics: `run.add_sink(std::make_shared<SummaryWriter>(
/// run.folder()))`; `RunOptions::tensorboard` does so. Several threads may write. Throws
/// `FileError`. PyTorch: `torch.utils.tensorboard.SummaryWriter`.
class SummaryWriter final : public MetricsSink {
 public:
  /// Creates the folder and the file.
  explicit SummaryWriter(std::filesystem::path const& folder);

  void add_scalar(std::string_view tag, double value, std::int64_t step);

  /// A text in Markdown.
  void add_text(std::string_view tag, std::string_view text, std::int64_t step = 0);

  /// The distribution of the elements of a tensor or expression; those that are not finite are left
  /// out.
  template <Expression X>
  void add_histogram(std::string_view tag, X const& x, std::int64_t step) {
    auto const values = eval(internal::to<double>(x));
    add_histogram(tag, std::span(values.data(), static_cast<std::size_t>(values.size())), step);
  }
  void add_histogram(std::string_view tag, std::span<double const> values, std::int64_t step);

  /// An image "channel height width" of 1 to 4 channels, or "height width", of numbers from 0 to 1,
  /// or of `uint8` from 0 to 255. Throws `ShapeError`.
  template <Expression X>
    requires(X::shape.rank == 2 || X::shape.rank == 3)
  void add_image(std::string_view tag, X const& x, std::int64_t step) {
    constexpr double scale = std::same_as<typename X::value_type, std::uint8_t> ? 1 : 255;
    auto const pixels = eval(internal::to<double>(x) * scale);
    auto const size = [&](int from_end) {
      return from_end < X::shape.rank ? internal::at(pixels.sizes(), X::shape.rank - 1 - from_end)
                                      : 1;
    };
    add_image(tag, std::span(pixels.data(), static_cast<std::size_t>(pixels.size())),
              {size(2), size(1), size(0)}, step);
  }

  void write(std::int64_t step, std::span<Scalar const> scalars) override;

  /// TensorBoard forgets what earlier files of the folder have of later steps. PyTorch:
  /// `purge_step=step + 1`.
  void remove_after(std::int64_t step) override;

 private:
  using Fields = std::function<void(internal::onnx::MessageWriter&)>;

  struct ImageSizes {
    std::int64_t channels, height, width;
  };

  void add_image(std::string_view tag, std::span<double const> pixels, ImageSizes sizes,
                 std::int64_t step);
  void add_event(std::int64_t step, Fields const& fields);
  void add_record(std::string_view data);

  std::string name_{};
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, std::fclose};
  std::mutex mutex_{};
};

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <tenon/train/run/summary_writer.ipp>

#endif
