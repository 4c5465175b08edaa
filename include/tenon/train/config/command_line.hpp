#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include <tenon/train/config/words.hpp>

namespace tenon::internal::training {

inline std::string command_line_library() { return "CLI11 " CLI11_VERSION; }

/// An option of the command line: `--training.rate`, `--lr`.
struct Option {
  std::string key;
  std::string short_name;
  bool is_flag = false;  ///< A bool: the value may be left out.
};

/// What a command line says. `settings`: keys and texts.
struct Arguments {
  std::vector<std::string> files;
  std::vector<std::pair<std::string, std::string>> settings;
  bool wants_help = false;
};

/// CLI11 splits values in brackets, and takes the next argument for `--name=`: it is given values
/// as arguments of their own, which begin with this character.
inline constexpr char mark_of_value = '=';

inline std::string without_mark(std::string const& text) {
  return text.starts_with(mark_of_value) ? text.substr(1) : text;
}

/// In reverse, as CLI11 wants them.
inline std::vector<std::string> marked(std::span<std::string const> arguments) {
  std::vector<std::string> result;
  result.reserve(2 * arguments.size());
  for (std::string const& argument : arguments) {
    std::size_t const assign = argument.find('=');
    bool const is_option = argument.starts_with("-") && argument.size() > 1;
    if (is_option) result.push_back(argument.substr(0, assign));
    if (is_option && assign != argument.npos) result.push_back(argument.substr(assign));
    if (!is_option) result.push_back(mark_of_value + argument);
  }
  return {result.rbegin(), result.rend()};
}

class CommandLine {
 public:
  CommandLine(std::span<Option const> options, Source const& source) : source_(source) {
    app_.set_help_flag();
    app_.allow_extras();
    app_.allow_windows_style_options(false);
    help_ = app_.add_flag("-h,--help");
    file_ = add("--config");
    for (Option const& option : options) {
      keys_.push_back(option.key);
      names_.push_back(option.key);
      if (option.short_name.size() > 1) names_.push_back(option.short_name);
      options_.push_back(add("--" + option.key + short_form(option.short_name)));
      if (option.is_flag) options_.back()->expected(0, 1);
    }
  }

  Arguments parse(std::span<std::string const> arguments) {
    try {
      app_.parse(marked(arguments));
    } catch (CLI::ParseError const& error) {
      refuse("", "arguments of a configuration", excerpt(error.what()));
    }
    Arguments result;
    result.wants_help = help_->count() > 0;
    for (std::string const& file : file_->results()) result.files.push_back(without_mark(file));
    for (std::size_t i = 0; i < options_.size(); ++i)
      if (options_[i]->count() > 0) result.settings.emplace_back(keys_[i], setting(i));
    check_extras(app_.remaining());
    return result;
  }

 private:
  CLI::Option* add(std::string const& names) {
    return app_.add_option(names)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->expected(1);
  }

  static std::string short_form(std::string const& name) {
    return name.empty() ? "" : (name.size() == 1 ? ",-" : ",--") + name;
  }

  std::string setting(std::size_t i) const {
    auto const& results = options_[i]->results();
    if (options_[i]->count() > 1 || results.size() > 1)
      refuse(keys_[i], "one value", std::to_string(results.size()));
    if (results.empty() || results[0].empty()) return "true";
    if (results[0].starts_with("--"))
      refuse(keys_[i], "a value", "the option '" + excerpt(results[0]) + "'");
    return without_mark(results[0]);
  }

  void check_extras(std::vector<std::string> const& extras) const {
    if (extras.empty()) return;
    if (!extras[0].starts_with("-") || extras[0] == "--")
      refuse("", "options, --key=value", "'" + excerpt(without_mark(extras[0])) + "'");
    auto const name = extras[0].substr(extras[0].starts_with("--") ? 2 : 1);
    refuse(name, "a known key", "none of that name" + suggestion(name, names_));
  }

  [[noreturn]] void refuse(std::string const& key, std::string const& expected,
                           std::string const& got) const {
    Place{source_, key, 0}.refuse(expected, got);
  }

  CLI::App app_;
  CLI::Option* help_ = nullptr;
  CLI::Option* file_ = nullptr;
  std::vector<CLI::Option*> options_;
  std::vector<std::string> keys_;
  std::vector<std::string> names_{"config", "help"};  // of options, for suggestions
  Source const& source_;
};

}  // namespace tenon::internal::training
