#pragma once

// The size of each layer: its lines of code and its files are at most those of the table in
// docs/house.md. A line of code is not blank, no comment and no line of the preprocessor.

#include <map>
#include <regex>

#include "floors.hpp"

namespace structure {

struct LayerSize {
  int lines = 0;
  int files = 0;

  bool operator==(LayerSize const&) const = default;
};

/// By folder; "" for the files beside the folders.
using LayerSizes = std::map<std::string, LayerSize>;

inline int code_lines(std::string const& text) {
  auto const lines = lines_of(code_of(text));
  return static_cast<int>(
      std::ranges::count_if(lines, [](auto const& line) { return !trimmed(line).empty(); }));
}

inline LayerSizes count_layers(std::vector<Source> const& headers) {
  LayerSizes sizes;
  for (auto const& header : headers) {
    LayerSize& size = sizes[folder_of(house_path(header.path))];
    size.lines += code_lines(header.text);
    ++size.files;
  }
  return sizes;
}

/// Lines up to a multiple of 50, files to one of 5.
inline LayerSizes round_up(LayerSizes sizes) {
  for (auto& [folder, size] : sizes) size = {(size.lines + 49) / 50 * 50, (size.files + 4) / 5 * 5};
  return sizes;
}

inline std::string const head_of_budgets = "| layer | lines of code | files |\n|---|---:|---:|\n";

/// 12345 as "12,345".
inline std::string with_commas(int number) {
  auto text = std::to_string(number);
  for (auto i = std::ssize(text) - 3; i > 0; i -= 3) text.insert(static_cast<std::size_t>(i), ",");
  return text;
}

inline std::string row_of_budget(std::string const& name, LayerSize size) {
  return "| " + name + " | " + with_commas(size.lines) + " | " + with_commas(size.files) + " |\n";
}

inline std::string table_of_budgets(LayerSizes const& sizes) {
  std::string table = head_of_budgets;
  LayerSize sum;
  for (auto const& [folder, size] : sizes) {
    table += row_of_budget(folder.empty() ? "beside the folders" : "`" + folder + "/`", size);
    sum = {sum.lines + size.lines, sum.files + size.files};
  }
  return table + row_of_budget("all", sum);
}

/// The table of a page, with its head; "" if it has none.
inline std::string table_in(std::string const& page) {
  auto const begin = page.find(head_of_budgets);
  if (begin == page.npos) return {};
  auto end = begin;
  while (page.substr(end, 1) == "|") end = std::min(page.find('\n', end), page.size() - 1) + 1;
  return page.substr(begin, end - begin);
}

inline LayerSizes read_budgets(std::string const& page) {
  static std::regex const row(
      R"re(\| (?:`(\w+)/`|beside the folders) \| ([0-9,]+) \| ([0-9,]+) \|)re");
  auto const number = [](std::string text) {
    std::erase(text, ',');
    return std::stoi(text);
  };
  LayerSizes budgets;
  for (auto const& line : lines_of(table_in(page))) {
    std::smatch match;
    if (std::regex_match(line, match, row))
      budgets[match[1].str()] = {number(match[2].str()), number(match[3].str())};
  }
  return budgets;
}

/// Returns the page with its table of budgets replaced by one of these sizes.
inline std::string with_budgets(std::string page, LayerSizes const& budgets) {
  auto const before = table_in(page);
  return before.empty() ? page
                        : page.replace(page.find(before), before.size(), table_of_budgets(budgets));
}

/// What is above its budget, and what is in one of the two only. The page's table must be as
/// `table_of_budgets` writes it.
inline Findings check_budgets(LayerSizes const& sizes, std::string const& page) {
  auto const budgets = read_budgets(page);
  Findings findings;
  if (with_budgets(page, budgets) != page || budgets.empty())
    findings.push_back("the table of budgets is not as scripts/structure --budgets writes it");
  for (auto const& [folder, budget] : budgets)
    if (!sizes.contains(folder)) findings.push_back("there is no layer " + folder);
  for (auto const& [folder, size] : sizes) {
    auto const found = budgets.find(folder);
    auto const budget = found == budgets.end() ? LayerSize{} : found->second;
    auto const expect = [&](int has, int most, char const* what) {
      if (has <= most) return;
      findings.push_back("include/tenon/" + folder + " has " + std::to_string(has) + " " + what +
                         ", and a budget of " + std::to_string(most));
    };
    expect(size.lines, budget.lines, "lines of code");
    expect(size.files, budget.files, "files");
  }
  return findings;
}

}  // namespace structure
