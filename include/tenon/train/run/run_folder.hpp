#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include <tenon/core/error.hpp>
#include <tenon/io/file.hpp>
#include <tenon/io/json/value.hpp>
#include <tenon/train/run/time_text.hpp>

namespace tenon::internal::training {

/// Throws `ValueError` unless a tag is a part of a name of a folder on every system.
inline void check_tag(std::string_view tag) {
  auto const is_usual = [](char c) {
    bool const is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return is_letter || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  };
  bool const is_short = !tag.empty() && tag.size() <= 100;
  if (is_short && std::ranges::all_of(tag, is_usual) && !tag.ends_with('.')) return;
  fail<ValueError>({.who = "RunManager",
                    .what = "tag",
                    .expected = "1 to 100 letters, digits, '-', '_' and '.', no '.' at the end",
                    .got = "'" + escaped(tag.substr(0, 100)) + "'"});
}

/// Creates a folder, which no other process can get as well. False where its name is taken.
inline bool create_new_folder(std::filesystem::path const& path, std::error_code& error) {
  if (std::filesystem::create_directory(path, error)) return true;
  std::error_code ignored;
  if (error && std::filesystem::exists(path, ignored)) error.clear();  // a file of that name
  return false;
}

/// `runs/20261126_120000_tag`, with `_2`, `_3` and so on where that is taken. Throws `FileError`
/// where a folder cannot be created, or 1000 are taken.
inline std::filesystem::path create_run_folder(std::filesystem::path const& parent,
                                               std::string_view tag, Time time) {
  check_tag(tag);
  std::error_code error;
  std::filesystem::create_directories(parent, error);
  std::string const name = time_text(time, "%Y%m%d_%H%M%S_") + std::string(tag);
  for (int count = 1; !error && count <= 1000; ++count) {
    auto path = parent / (count == 1 ? name : name + "_" + std::to_string(count));
    if (create_new_folder(path, error)) return path;
  }
  fail<FileError>({.who = "RunManager",
                   .expected = "a folder that can be created",
                   .got = error ? error.message() : "1000 of that name",
                   .where = (parent / name).string()});
}

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
