#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/backend/codegen/text/dialect.hpp>

namespace tenon::internal::codegen {

/// The functions and tables that kernels call, each emitted once.
class Functions {
 public:
  explicit Functions(Dialect const& dialect, bool for_device = false, bool for_processor = false)
      : are_for_device(for_device), is_processor(for_processor), dialect_(&dialect) {}

  /// Scalars are then kernel arguments, not literals; indices out of range are clamped, since they
  /// cannot be checked before a recording is replayed.
  bool are_for_device;
  bool is_processor;  ///< Whether they are for a CPU, which is fast with plain loops.
  /// Equal statements and reductions are emitted once, and adjacent axes have one index.
  bool are_optimised = true;

  Dialect const& dialect() const { return *dialect_; }
  std::string const& text() const { return text_; }

  /// The name of a function; a number is appended if it is in use.
  std::string function(std::string const& type, std::string const& name,
                       std::string const& parameters, std::string const& body) {
    return once(name, type + " " + parameters + " " + body, [&](std::string const& own) {
      return filled(dialect_->function, {type, own, parameters}) + " {\n" + body + "}\n\n";
    });
  }

  std::string table(std::string const& name, std::size_t count, std::string const& entries) {
    return once(name, entries, [&](std::string const& own) {
      return filled(dialect_->table, {own, std::to_string(count), entries}) + "\n\n";
    });
  }

 private:
  template <class Print>
  std::string once(std::string const& name, std::string const& meaning, Print const& print) {
    auto const [place, is_new] = names_.try_emplace(name + " " + meaning, name);
    if (!is_new) return place->second;
    if (int const others = used_[name]++; others > 0) place->second += std::to_string(others + 1);
    text_ += print(place->second);
    return place->second;
  }

  Dialect const* dialect_;
  std::string text_;
  std::map<std::string, std::string> names_;
  std::map<std::string, int> used_;
};

}  // namespace tenon::internal::codegen
