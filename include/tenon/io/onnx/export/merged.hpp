#pragma once

#include <span>
#include <string>
#include <vector>

#include <tenon/io/onnx/export/extent.hpp>
#include <tenon/io/onnx/export/program.hpp>

/// Traces of one function at several sizes, compared with each other.
namespace tenon::internal::onnx {

/// One trace of a function: its steps, and those of its results.
struct TracedProgram {
  Program steps;
  std::vector<Id> results;
};

/// The traces without the operations that are equal to earlier ones in all of them. Throws `Error`
/// where they do not consist of the same operations.
std::vector<TracedProgram> merged(std::vector<TracedProgram> const& traces,
                                  std::span<RunTimeAxis const> axes);

/// The name of a step in messages.
std::string described(Step const& step);

/// The sizes in a trace that differ between the first one and `other`: ` at t=41`.
std::string sizes_in(std::size_t trace, std::span<RunTimeAxis const> axes, std::size_t other);

/// Throws `Error`: `tenon::onnx::save: expected ..., got ...`.
[[noreturn]] void fail_save(std::string const& expected, std::string const& got);

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME
#include <tenon/io/onnx/export/merged.ipp>
#endif
