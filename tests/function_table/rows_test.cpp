// The rows of the table of functions: composed, and compared with their files.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <tenon/io/onnx/decode.hpp>

#include "rows.hpp"

namespace function_table {

bool reads_input(std::filesystem::path const& path) {
  auto const model = internal::onnx::read(path);
  return std::ranges::any_of(model.graph.nodes, [](auto const& node) {
    return std::ranges::find(node.inputs, "x") != node.inputs.end();
  });
}

std::string_view device_of(Work const& work) {
  if (work.kernels == 0) return work.copies > 0 ? "host" : "view";
  return !work.is_read ? "kernel" : work.is_printed ? "kernel, host" : "host";
}

void Table::add(Row const& row) {
  rows_ += row.call + " |" + row.dtypes;
  for (std::string_view const fact : {row.gradient, row.device, row.onnx}) (rows_ += " | ") += fact;
  rows_ += '\n';
}

void Table::compare() const {
  auto const path = std::filesystem::path(__FILE__).parent_path() / (name_ + ".txt");
  if (std::getenv("TENON_WRITE_TABLE") != nullptr) std::ofstream(path) << rows_;
  INFO(path.string() << ": scripts/function_table writes it");
  CHECK(read_bytes(path) == rows_);
}

}  // namespace function_table
