#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/train/config/words.hpp>

namespace tenon::internal::training {

/// An option of the command line: `--training.rate`, `--lr`, `-s`, `--learning-rate`.
struct Option {
  std::string key;
  std::string short_name;
  std::string long_name;
  bool is_flag = false;  ///< A bool: the value may be left out.
};

/// What a command line says. `settings`: keys and texts.
struct Arguments {
  std::vector<std::string> files;
  std::vector<std::pair<std::string, std::string>> settings;
  bool wants_help = false;
};

/// Reads `--key=value`, `--key value`, `-s value`, `-s=value`, `-svalue`, `--flag`, and the options
/// `--config FILE`, `--help` and `-h`. Throws `ConfigError`.
class CommandLine {
 public:
  CommandLine(std::span<Option const> options, Source const& source)
      : options_(options), source_(source), counts_(options.size()) {
    for (Option const& option : options) {
      names_.push_back(option.key);
      if (option.short_name.size() > 1) names_.push_back(option.short_name);
      if (!option.long_name.empty()) names_.push_back(option.long_name);
    }
    check_names();
  }

  Arguments parse(std::span<std::string const> arguments) {
    for (rest_ = arguments; !rest_.empty();) read(take());
    for (std::size_t i = 0; i < counts_.size(); ++i)
      if (counts_[i] > 1) refuse(options_[i].key, "one value", std::to_string(counts_[i]));
    return std::move(result_);
  }

 private:
  /// An argument: `--rate=1` is {"--rate", "1"}, `-s7` is {"-s", "7"}.
  struct Word {
    std::string name;
    std::optional<std::string> value;
  };

  static bool is_option(std::string_view argument) {
    return argument.starts_with('-') && argument.size() > 1;
  }

  static Word split(std::string const& argument) {
    bool const is_long = argument.starts_with("--");
    std::size_t const end = is_long ? (std::min)(argument.find('='), argument.size()) : 2;
    if (end == argument.size()) return {argument, {}};
    return {argument.substr(0, end), argument.substr(end + (argument[end] == '=' ? 1 : 0))};
  }

  static std::string spelled(std::string const& short_name) {
    return (short_name.size() == 1 ? "-" : "--") + short_name;
  }

  void check_names() const {
    std::vector<std::string> all{"--config", "--help", "-h"};
    for (Option const& option : options_) {
      all.push_back("--" + option.key);
      if (!option.short_name.empty()) all.push_back(spelled(option.short_name));
      if (!option.long_name.empty()) all.push_back("--" + option.long_name);
    }
    std::ranges::sort(all);
    auto const twice = std::ranges::adjacent_find(all);
    if (twice != all.end()) refuse("", "options of different names", "two of '" + *twice + "'");
  }

  static bool has_name(Option const& option, std::string const& name) {
    return name == "--" + option.key ||
           (!option.short_name.empty() && name == spelled(option.short_name)) ||
           (!option.long_name.empty() && name == "--" + option.long_name);
  }

  std::string take() {
    std::string argument = rest_.front();
    rest_ = rest_.subspan(1);
    return argument;
  }

  void read(std::string const& argument) {
    if (!is_option(argument) || argument == "--")
      refuse("", "options, --key=value", "'" + excerpt(argument) + "'");
    auto const [name, value] = split(argument);
    if (name == "--help" || name == "-h") result_.wants_help = true;
    else if (name == "--config") result_.files.push_back(value ? *value : next_value("config"));
    else read_setting(argument, name, value);
  }

  void read_setting(std::string const& argument, std::string const& name,
                    std::optional<std::string> const& value) {
    auto const found = std::ranges::find_if(
        options_, [&](Option const& option) { return has_name(option, name); });
    if (found == options_.end()) refuse_name(argument);
    ++counts_[static_cast<std::size_t>(found - options_.begin())];
    bool const is_alone = found->is_flag && (rest_.empty() || is_option(rest_.front()));
    result_.settings.emplace_back(found->key,
                                  value ? *value : (is_alone ? "true" : next_value(found->key)));
  }

  /// (A negative number begins with a dash.)
  std::string next_value(std::string const& key) {
    if (rest_.empty())
      refuse("", "arguments of a configuration", "--" + excerpt(key) + " without a value");
    if (!rest_.front().starts_with("--")) return take();
    refuse(key, "a value", "the option '" + excerpt(split(rest_.front()).name) + "'");
  }

  [[noreturn]] void refuse_name(std::string const& argument) const {
    std::string const name = argument.substr(argument.starts_with("--") ? 2 : 1);
    std::string const key = name.substr(0, name.find('='));
    refuse(key, "a known key", "none of that name" + suggestion(key, names_));
  }

  [[noreturn]] void refuse(std::string const& key, std::string const& expected,
                           std::string const& got) const {
    Place{source_, key, 0}.refuse(expected, got);
  }

  std::span<Option const> options_;
  Source const& source_;
  std::vector<std::size_t> counts_;                   // of each option
  std::vector<std::string> names_{"config", "help"};  // for suggestions
  std::span<std::string const> rest_{};
  Arguments result_{};
};

}  // namespace tenon::internal::training
