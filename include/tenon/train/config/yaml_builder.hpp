#pragma once

#include <string>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <tenon/io/utf8.hpp>
#include <tenon/train/config/text_checks.hpp>
#include <tenon/train/config/value.hpp>

namespace tenon::internal::training {

inline int line_of(YAML::Mark const& mark) { return mark.line + 1; }

/// Builds a document from the events of the parser. Anchors, aliases, tags and merge keys are
/// refused where they stand, so that a document is no larger than its text.
class YamlBuilder : public YAML::EventHandler {
 public:
  explicit YamlBuilder(Source const& source) : source_(source) {}

  /// An empty document is an empty table.
  Value take() {
    return std::holds_alternative<Null>(root_.data) ? Value{Value::Table()} : std::move(root_);
  }

  void OnDocumentStart(YAML::Mark const& mark) override {
    if (documents_++ > 0) refuse(mark, "one document", "more");
  }
  void OnDocumentEnd() override {}
  void OnAlias(YAML::Mark const& mark, YAML::anchor_t) override {
    refuse(mark, "a value", "an alias");
  }
  void OnNull(YAML::Mark const& mark, YAML::anchor_t anchor) override {
    check(mark, "", anchor);
    add({Null(), line_of(mark)}, mark);
  }
  void OnScalar(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                std::string const& text) override {
    check(mark, tag, anchor);
    if (!is_utf8(text)) refuse(mark, "text in UTF-8", "other bytes");  // yaml-cpp 0.7: "\\N"
    if (tag == "!") add({text, line_of(mark)}, mark);
    else add({Plain{text}, line_of(mark)}, mark);
  }
  void OnSequenceStart(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    check(mark, tag, anchor);
    open({Value::List(), line_of(mark)}, mark);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    check(mark, tag, anchor);
    open({Value::Table(), line_of(mark)}, mark);
  }
  void OnMapEnd() override { close(); }

 private:
  /// A list or a table that has not ended; the key whose value is next.
  struct Open {
    Value value;
    std::unordered_set<std::string> keys{};
    std::string key{};
    int line = 0;
    bool has_key = false;
  };

  /// Tags of the parser itself: `?` of plain scalars, tables and lists, `!` of quoted scalars.
  void check(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor) const {
    if (anchor != 0) refuse(mark, "a value", "an anchor");
    if (!tag.empty() && tag != "?" && tag != "!")
      refuse(mark, "a value", "the tag '" + excerpt(tag) + "'");
  }

  void open(Value value, YAML::Mark const& mark) {
    if (open_.size() >= deepest_value)
      refuse(mark, "at most 64 values in each other", "deeper ones");
    if (wants_key()) refuse(mark, "a key", words_of(value));
    open_.push_back({.value = std::move(value)});
  }

  void close() {
    Value value = std::move(open_.back().value);
    open_.pop_back();
    put(std::move(value));
  }

  bool wants_key() const {
    return !open_.empty() && std::holds_alternative<Value::Table>(open_.back().value.data) &&
           !open_.back().has_key;
  }

  void add(Value value, YAML::Mark const& mark) {
    if (wants_key()) set_key(value, mark);
    else put(std::move(value));
  }

  void set_key(Value const& value, YAML::Mark const& mark) {
    auto const* const plain = std::get_if<Plain>(&value.data);
    auto const* const text = plain ? &plain->text : std::get_if<std::string>(&value.data);
    if (!text) refuse(mark, "a key", words_of(value));
    if (plain && *text == "<<") refuse(mark, "a key", "a merge, '<<'");
    if (!open_.back().keys.insert(*text).second)
      refuse(mark, "each key once", std::string("'").append(excerpt(*text)) + "' again");
    open_.back().key = *text;
    open_.back().line = line_of(mark);
    open_.back().has_key = true;
  }

  void put(Value value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return;
    }
    Open& open = open_.back();
    if (auto* const list = std::get_if<Value::List>(&open.value.data)) {
      list->push_back(std::move(value));
      return;
    }
    value.line = open.line;
    std::get<Value::Table>(open.value.data).push_back({std::move(open.key), std::move(value)});
    open.has_key = false;
  }

  [[noreturn]] void refuse(YAML::Mark const& mark, std::string const& expected,
                           std::string const& got) const {
    refuse_text(source_, line_of(mark), expected, got);
  }

  Source const& source_;
  Value root_{};
  std::vector<Open> open_{};
  int documents_ = 0;
};

}  // namespace tenon::internal::training
