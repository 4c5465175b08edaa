#pragma once

// The command line by CLI11 (https://github.com/CLIUtils/CLI11): the options, and `--help`.

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include <tenon/train/config/read_file.hpp>
#include <tenon/train/config/set_fields.hpp>
#include <tenon/train/config/toml.hpp>
#include <tenon/train/config/write_text.hpp>

namespace tenon::internal::training {

/// The help of a program was asked for.
struct HelpWanted {
  std::string text;
};

/// "a number from 0 to 1 (0.001)": for `--help`.
inline std::string help_of(ConfigField const& field) {
  std::string text = field.description, value;
  if (!text.empty()) text += ": ";
  text += field.type;
  bool const has_most = field.note.most < 1e300;
  if (field.note.least > -1e300) {
    text += (has_most ? " from " : " at least ") + bound_text(field.note.least);
  }
  if (has_most)
    text += (field.note.least > -1e300 ? " to " : " at most ") + bound_text(field.note.most);
  field.write(field.place, value);
  return text + " (" + value + ")";
}

/// A value of the command line: a text, or a value as TOML has it. Throws `ConfigError`.
inline ConfigValue value_of(ConfigField const& field, std::string const& text) {
  std::string const where = "the command line";
  if (field.takes_text) {
    return {.kind = ConfigValue::Kind::string, .text = text, .where = where};
  }
  ConfigValue const refused{.kind = ConfigValue::Kind::string, .text = text};
  auto const is_one = [](ConfigValue const& table) {
    return table.parts.size() == 1 && table.parts[0].kind != ConfigValue::Kind::table;
  };
  try {
    ConfigValue table = read_toml("value = " + text, where);
    if (is_one(table) && text.find('\n') == std::string::npos) {
      table.parts[0].where = where;
      if (table.parts[0].kind == ConfigValue::Kind::array)
        for (ConfigValue& part : table.parts[0].parts) part.where = where;
      return std::move(table.parts[0]);
    }
  } catch (ConfigError const&) {  // what stands there is no value
  }
  refuse_config(field.key, field.type, shown(refused), where);
}

/// The options that were given, in order: a field and its text.
using GivenOptions = std::vector<std::pair<ConfigField const*, std::string>>;

/// `--training.steps,--steps`: the names of the option of a field.
inline std::string option_names(ConfigField const& field) {
  std::string names = "--" + field.key;
  if (!field.note.short_name.empty()) names += ",--" + std::string(field.note.short_name);
  return names;
}

inline void add_options(CLI::App& app, std::vector<ConfigField> const& fields,
                        GivenOptions& given) {
  for (ConfigField const& field : fields) {
    bool const is_flag = field.type == "true or false";
    auto const take = [&given, &field](std::string const& text) {
      given.emplace_back(&field, text);
    };
    auto* option = app.add_option_function<std::string>(option_names(field), take, help_of(field))
                       ->option_text(" ")
                       ->trigger_on_parse()
                       ->allow_extra_args(false)
                       ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    if (is_flag) option->expected(0, 1)->default_str("true");
  }
}

/// Throws `ConfigError` for arguments that are no options.
inline void refuse_extras(std::vector<std::string> const& extras,
                          std::vector<ConfigField> const& fields) {
  if (extras.empty()) return;
  std::string const& first = extras.front();
  std::string const name = first.substr(0, std::min(first.find('='), std::size_t{100}));
  std::string const key = name.starts_with("--") ? name.substr(2) : name;
  refuse_config(name, "an option", "none of that name" + nearest_key(key, fields),
                "the command line");
}

/// CLI11 rejects `--device=`, and takes an empty text as the next argument.
inline void separate_empty_values(std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].starts_with("--") || !arguments[i].ends_with('=')) continue;
    if (arguments[i].find('=') + 1 != arguments[i].size()) continue;
    arguments[i].pop_back();
    arguments.insert(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, "");
  }
}

/// Sets the fields from `--config FILE`, and then from the other options. Throws `ConfigError`, and
/// `HelpWanted` for `--help`.
inline void set_from_arguments(std::vector<ConfigField> const& fields,
                               std::vector<std::string> arguments, std::string const& about) {
  CLI::App app(about);
  std::string file;
  GivenOptions given;
  app.allow_extras()->set_help_flag("-h,--help", "this text");
  app.add_option("--config", file, "a configuration file, TOML or YAML")->option_text("FILE");
  add_options(app, fields, given);
  separate_empty_values(arguments);
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 takes them
  try {
    app.parse(std::move(arguments));
  } catch (CLI::CallForHelp const&) {
    throw HelpWanted{app.help()};
  } catch (CLI::ParseError const& error) {
    refuse_config("", "options", one_line(error.what()), "the command line");
  }
  refuse_extras(app.remaining(), fields);
  if (!file.empty()) set_fields(fields, read_config_file(file));
  for (auto const& [field, text] : given) set_field(*field, value_of(*field, text));
}

}  // namespace tenon::internal::training
