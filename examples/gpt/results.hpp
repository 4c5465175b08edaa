#pragma once

// The output files of a run.

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <span>

#include <tenon/io/safetensors.hpp>
#include <tenon/train/plot.hpp>

#include "config.hpp"
#include "onnx.hpp"

namespace gpt {

/// The loss curve, and the model without the state of the optimiser.
template <class Training>
void write_results(Training const& run, Config const& config, std::filesystem::path const& out) {
  tenon::training::draw_loss_curve(
      out / "loss.svg", std::span(run.losses.data(), static_cast<std::size_t>(run.step)));
  save(out / "model.safetensors", run.model);
  write_onnx(out, run.model);
  if (config.text.file.empty()) write_exam(out, run.model);
  std::printf("the loss curve is in %s, the model in %s and %s\n", (out / "loss.svg").c_str(),
              (out / "model.safetensors").c_str(), (out / "model.onnx").c_str());
}

/// Prints how to resume an interrupted run.
template <class Training>
void say_where(Training const& run, std::filesystem::path const& folder) {
  std::printf("stopped after step %lld of %lld; --resume %s goes on\n",
              static_cast<long long>(run.step), static_cast<long long>(run.settings.steps),
              folder.c_str());
  std::fflush(stdout);  // mpirun may lose output at the very end
}

}  // namespace gpt
