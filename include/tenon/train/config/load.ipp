#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/file.hpp>
#include <tenon/train/config/command_line.hpp>
#include <tenon/train/config/load.hpp>
#include <tenon/train/config/schema.hpp>
#include <tenon/train/config/text_checks.hpp>

namespace tenon::internal::training {

/// The variables of Open MPI, of MPICH and Intel MPI, and of Slurm.
inline std::vector<char const*> variables_of(FromMpi source) {
  if (source == FromMpi::rank) return {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"};
  if (source == FromMpi::world_size) return {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"};
  return {};
}

/// Sets the fields that are declared to have a value of the launcher, where it runs.
inline void read_mpi(std::vector<ConfigKey> const& keys, std::string const& who) {
  for (ConfigKey const& key : keys) {
    for (char const* const variable : variables_of(key.note->mpi)) {
      char const* const text = std::getenv(variable);
      if (text == nullptr) continue;
      Source const source{who, variable};
      key.type->read(key.address, {Plain{text}}, {{source, key.path}, key.note, {}});
      break;
    }
  }
}

/// A configuration that is set step by step, without its type.
class Loader {
 public:
  Loader(Type const& type, void* object, std::string who)
      : type_(type),
        object_(object),
        who_(std::move(who)),
        keys_(keys_of(type, object)),
        known_(paths_of(keys_)) {
    Source const source{who_, "the defaults"};
    read(type_.write(object_), source);  // they are checked as other values are
  }

  std::vector<ConfigKey> const& keys() const { return keys_; }

  /// Sets the fields that a document has.
  void read(Value const& document, Source const& source) const {
    Note const none{};
    type_.read(object_, document, {{source, ""}, &none, known_});
  }

  void read_file(std::string const& name) const {
    Source const source{who_, name};
    read(reader_of(name)(text_of(name, source), source), source);
  }

  /// Sets what the command line and the launcher of MPI say; false if only help is wanted.
  bool read_arguments(std::span<std::string const> arguments) const {
    Source const source{who_, "command line"};
    Arguments const parsed = CommandLine(options(), source).parse(arguments);
    if (parsed.wants_help) return false;
    if (parsed.files.size() > 1)
      Place{source, "config"}.refuse("one file", std::to_string(parsed.files.size()));
    for (std::string const& file : parsed.files) read_file(file);
    for (auto const& [path, text] : parsed.settings) read_setting(path, text, source);
    read_mpi(keys_, who_);
    return true;
  }

 private:
  std::vector<Option> options() const {
    std::vector<Option> options;
    options.reserve(keys_.size());
    for (ConfigKey const& key : keys_)
      options.push_back({key.path, std::string(key.note->short_name),
                         std::string(key.note->long_name), form_of(key) == Form::flag});
    return options;
  }

  /// That of the value, for an optional one.
  static Form form_of(ConfigKey const& key) {
    Type const* const element = key.type->element();
    return element ? element->form() : key.type->form();
  }

  void read_setting(std::string const& path, std::string const& text, Source const& source) const {
    check_text(text, source);
    for (ConfigKey const& key : keys_) {
      if (key.path != path) continue;
      Value const value = setting_of(key, text, source);
      key.type->read(key.address, value, {{source, path}, key.note, known_});
    }
  }

  /// A list is `1,2,3`, or as in TOML, as are tables; an optional value is none by `[]`.
  static Value setting_of(ConfigKey const& key, std::string const& text, Source const& source) {
    if (key.type->element() && text == "[]") return {Value::List()};
    Form const form = form_of(key);
    if (form == Form::scalar || form == Form::flag) return {Plain{text}};
    if (text.starts_with('[') || text.starts_with('{')) return parse_setting(key, text, source);
    return {split(text)};
  }

  static Value parse_setting(ConfigKey const& key, std::string const& text, Source const& source) {
    Value const document = read_toml("value = " + text, source);
    auto const& table = std::get<Value::Table>(document.data);
    if (table.size() != 1) Place{source, key.path}.refuse("one value", "more");
    Value value = table[0].value;
    clear_lines(value);
    return value;
  }

  /// The command line has no lines.
  static void clear_lines(Value& value) {
    value.line = 0;
    if (auto* const list = std::get_if<Value::List>(&value.data))
      for (Value& element : *list) clear_lines(element);
    if (auto* const table = std::get_if<Value::Table>(&value.data))
      for (Entry& entry : *table) clear_lines(entry.value);
  }

  static Value::List split(std::string_view text) {
    Value::List list;
    while (!text.empty()) {
      std::size_t const comma = text.find(',');
      list.push_back({Plain{std::string(text.substr(0, comma))}});
      text.remove_prefix(comma == text.npos ? text.size() : comma + 1);
    }
    return list;
  }

  static Reader reader_of(std::string const& name) {
    auto const extension = std::filesystem::path(name).extension();
    bool const is_yaml = extension == ".yaml" || extension == ".yml";
    return is_yaml ? (yaml_reader ? yaml_reader : refuse_yaml) : read_toml;
  }

  static Value refuse_yaml(std::string_view, Source const& source) {
    refuse_text(source, 0, "a file of TOML", "YAML, which needs <tenon/train/yaml.hpp>");
  }

  static std::string text_of(std::string const& name, Source const& source) {
    try {
      InputFile const file(name, source.who);
      check_size(file.size(), source);
      return file.text();
    } catch (FileError const& error) {
      throw tenon::training::ConfigError(error.what());
    }
  }

  Type const& type_;
  void* object_;
  std::string who_;
  std::vector<ConfigKey> keys_;
  std::vector<std::string> known_;
};

TENON_RUNTIME void load_or_exit(Type const& type, void* object, int argc, char const* const* argv) {
  std::vector<std::string> const arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  try {
    Loader const loader(type, object, "load_config");
    if (loader.read_arguments(arguments)) return;
    std::string const program = argc > 0 ? argv[0] : "program";
    std::fputs(help_text(loader.keys(), program, yaml_reader != nullptr).c_str(), stdout);
  } catch (Error const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::exit(2);
  }
  std::exit(0);
}

TENON_RUNTIME void read_arguments(Type const& type, void* object,
                                  std::span<std::string const> arguments) {
  Loader const loader(type, object, "parse_config");
  Source const source{"parse_config", "command line"};
  if (!loader.read_arguments(arguments)) Place{source, "help"}.refuse("a configuration", "--help");
}

TENON_RUNTIME void read_document(Type const& type, void* object, Reader read, std::string_view text,
                                 Source const& source) {
  Loader(type, object, source.who).read(read(text, source), source);
}

TENON_RUNTIME std::string help_text(Type const& type, void* object, std::string const& program) {
  return help_text(keys_of(type, object), program, yaml_reader != nullptr);
}

}  // namespace tenon::internal::training
