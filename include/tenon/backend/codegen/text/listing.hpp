#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/backend/codegen/text/functions.hpp>

namespace tenon::internal::codegen {

/// An SSA builder: names, and the blocks in which they are defined. A statement is placed in the
/// innermost block that one of its operands needs, so that loop invariants are hoisted; equal
/// statements share a name (common subexpression elimination) unless `are_optimised` is false.
class Listing {
 public:
  explicit Listing(Functions& functions) : functions_(&functions), blocks_(1) {}

  Functions& functions() { return *functions_; }
  Dialect const& dialect() const { return functions_->dialect(); }
  std::string text(int name) const { return names_[index(name)].text; }
  int block_of(int name) const { return names_[index(name)].block; }
  bool is_open(int block) const { return blocks_[index(block)].is_open; }

  /// The innermost of the blocks of names; negative ones are ignored.
  int innermost(std::vector<int> const& names) const {
    int block = at_least_;
    for (int name : names) {
      if (name >= 0 && depth(block_of(name)) > depth(block)) block = block_of(name);
    }
    return block;
  }

  /// Whether a block is nested in another, or equal to it.
  bool is_in(int block, int other) const {
    while (depth(block) > depth(other)) block = blocks_[index(block)].outer;
    return block == other;
  }

  /// A unique identifier.
  std::string fresh(std::string_view word) { return std::string(word) + std::to_string(count_++); }

  /// A name defined at the start of a block.
  int parameter(std::string text, int block = 0) { return named(std::move(text), block); }

  /// The name of a value: in C `type const v3 = meaning;`.
  int value(std::string_view type, std::string const& meaning, std::vector<int> const& operands) {
    std::string const key = std::string(type) + " " + meaning;
    auto const known = known_.find(key);
    bool const is_wanted = functions_->are_optimised && known != known_.end();
    if (is_wanted && is_open(block_of(known->second))) return known->second;
    int const block = innermost(operands);
    int const name = named(fresh("v"), block);
    define(name, filled(dialect().constant, {std::string(type), text(name), meaning}));
    blocks_[index(block)].lines.back().defines = text(name);
    return known_[key] = name;
  }

  /// A mutable variable.
  int variable(std::string_view type, std::string const& first, int block) {
    int const name = named(fresh("a"), block);
    define(name, filled(dialect().variable, {std::string(type), text(name), first}));
    return name;
  }

  /// A statement by a pattern of the dialect.
  void line(int block, std::string_view Dialect::*pattern, std::vector<std::string> const& with) {
    line(block, filled(dialect().*pattern, with));
  }

  /// A loop in a block; its own block and the name of its counter.
  struct Loop {
    int block;
    int counter;
  };
  Loop loop(std::string const& size, int outer) { return loop("0", size, outer); }
  Loop loop(std::string const& first, std::string const& past, int outer) {
    std::string const j = fresh("j");
    int const block = open(outer, &Dialect::loop, {"i64", j, first, past});
    return {block, parameter(j, block)};
  }

  /// Opens a block by a pattern of the dialect.
  int open(int outer, std::string_view Dialect::*pattern, std::vector<std::string> const& with) {
    std::vector<std::string> lines = lines_of(filled(dialect().*pattern, with));
    std::string const header = std::move(lines.back());
    lines.pop_back();
    for (std::string& each : lines) line(outer, std::move(each));
    return open(header, outer);
  }
  int open(std::string const& header, int outer) {
    blocks_.push_back({outer, depth(outer) + 1, true, header, {}});
    return static_cast<int>(blocks_.size()) - 1;
  }
  void close(int block) {
    Block& inner = blocks_[index(block)];
    inner.is_open = false;
    line(inner.outer, inner.header + " {");
    auto& outer = blocks_[index(inner.outer)].lines;
    for (Statement const& own : inner.lines) outer.push_back({"  " + own.text, own.defines});
    line(inner.outer, "}");
  }

  /// Statements emitted inside are placed in the block, or deeper, wherever their operands are
  /// known.
  template <class F>
  auto within(int block, F const& emit) {
    int const before = std::exchange(at_least_, block);
    auto result = emit();
    at_least_ = before;
    return result;
  }

  void line(int block, std::string text) {
    blocks_[index(block)].lines.push_back({std::move(text), {}});
  }

  /// Adds a comment with the origin of a value, unless it has one.
  void comment(int name, std::string const& words) {
    Name const& value = names_[index(name)];
    if (value.line < 0 || !is_open(value.block)) return;
    std::string& statement = blocks_[index(value.block)].lines[index(value.line)].text;
    if (statement.find("//") == std::string::npos) statement += "  // " + words;
  }

  /// All statements, without dead code: those that neither later statements nor `result` use.
  std::vector<std::string> lines(std::string const& result = {}) const {
    std::set<std::string> used;
    note_names(result, used);
    std::vector<std::string> kept;
    for (auto line = blocks_[0].lines.rbegin(); line != blocks_[0].lines.rend(); ++line) {
      if (!line->defines.empty() && !used.contains(line->defines)) continue;
      note_names(line->text, used);
      kept.push_back(line->text);
    }
    std::reverse(kept.begin(), kept.end());
    return kept;
  }

 private:
  struct Name {
    std::string text;
    int block;
    int line = -1;
  };
  struct Statement {
    std::string text;
    std::string defines;  ///< The name of a value, which is not needed if nothing uses it.
  };
  struct Block {
    int outer = 0;
    int depth = 0;
    bool is_open = true;
    std::string header;
    std::vector<Statement> lines;
  };

  /// The names `v12` in a text. (Includes the name that a line defines, which is harmless.)
  static void note_names(std::string const& text, std::set<std::string>& names) {
    for (std::size_t i = text.find('v'); i < text.size(); i = text.find('v', i + 1)) {
      std::size_t const end = text.find_first_not_of("0123456789", i + 1);
      names.insert(text.substr(i, end - i));
    }
  }
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  int depth(int block) const { return blocks_[index(block)].depth; }
  void define(int name, std::string statement) {
    Name& own = names_[index(name)];
    line(own.block, std::move(statement));
    own.line = static_cast<int>(blocks_[index(own.block)].lines.size()) - 1;
  }
  int named(std::string text, int block) {
    names_.push_back({std::move(text), block});
    return static_cast<int>(names_.size()) - 1;
  }

  Functions* functions_;
  std::vector<Block> blocks_;
  std::vector<Name> names_;
  std::map<std::string, int> known_;
  int at_least_ = 0;
  int count_ = 0;
};

}  // namespace tenon::internal::codegen
