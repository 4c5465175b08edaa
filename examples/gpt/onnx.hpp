#pragma once

// The trained model for other runtimes: model.onnx, and the exam with the answers of this program.
// exam.py repeats the exam with ONNX Runtime.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <tenon/io/onnx.hpp>

#include "addition.hpp"
#include "exam.hpp"

namespace gpt {

/// The inputs of the model by name; "batch" and "t" are any sizes in the file, too.
struct Prompt {
  Int32<"batch t"> tokens;
};

/// Writes model.onnx.
template <class Model>
void write_onnx(std::filesystem::path const& folder, Model const& model) {
  auto const here = to<Cpu>(model);
  onnx::save(folder / "model.onnx", here, Prompt{zeros<Int32<"batch t">>(4, 6)});
}

/// Writes exam.txt: a line for each sum, `12+34= 046 046`, the question, the right answer and that
/// of the model.
template <class Model>
void write_exam(std::filesystem::path const& folder, Model const& model) {
  auto const sums = split_sums(1000).unseen;
  auto const answers = answers_of(model, sums);
  std::ofstream file(folder / "exam.txt");
  for (std::size_t i = 0; i < sums.size(); ++i)
    file << question(sums[i]) << ' ' << answer(sums[i]) << ' ' << answers[i] << '\n';
}

}  // namespace gpt
