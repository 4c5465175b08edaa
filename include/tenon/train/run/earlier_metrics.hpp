#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <tenon/core/error.hpp>
#include <tenon/io/file.hpp>
#include <tenon/io/json/value.hpp>

namespace tenon::internal::training {

/// Whether a line of metrics.jsonl is of a step after `last`. Throws `FileError` if it is torn.
inline bool is_later(std::string_view line, std::int64_t last) {
  json::Reader reader(line, "metrics.jsonl", "line");
  auto const metrics = json::Parser(reader, "metrics.jsonl").read();
  reader.end();
  auto const* const step = metrics.find("step");
  return step && step->is_number() && step->number() > static_cast<double>(last);
}

/// The lines that a run has written up to a step, without those of later steps and torn ones. Empty
/// where it has not written any.
inline std::string earlier_metrics(std::filesystem::path const& run, std::int64_t last) {
  auto const path = run / "metrics.jsonl";
  if (run.empty() || !std::filesystem::exists(path)) return {};
  std::string const all = InputFile(path, "RunManager").text();
  std::string kept;
  for (std::size_t at = 0, end = 0; at < all.size(); at = end) {
    end = (std::min)(all.find('\n', at), all.size() - 1) + 1;
    std::string_view const line = std::string_view(all).substr(at, end - at);
    try {
      if (is_later(line, last)) break;
      kept.append(line);
    } catch (FileError const&) {  // a process was killed, or a disk was full
    }
  }
  return kept.empty() || kept.ends_with('\n') ? kept : kept + "\n";
}

}  // namespace tenon::internal::training
