// Untrusted texts with deeply nested parentheses.

#include <doctest/doctest.h>

#include <array>
#include <string>

#include <tenon/core/annotation/parse.hpp>
#include <tenon/core/language/parse.hpp>
#include <tenon/core/rules/einsum.hpp>
#include <tenon/core/rules/rearrange.hpp>

using namespace tenon;
using namespace tenon::internal;

namespace {

constexpr std::string_view too_deep = "parentheses are too deep";

std::string repeated(std::string_view part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

std::string nested(std::string_view open, int depth) {
  return repeated(open, depth) + "n+1" + repeated(")", depth);
}

}  // namespace

TEST_CASE("64 nested parentheses are parsed") {
  CHECK(parse("n " + nested("(", 64)).shape[1].expression == FixedText("n+1"));
  CHECK(parse("n " + nested("min(1,", 64)).mistake != too_deep);
  CHECK(parse("n " + nested("(", 65)).mistake == too_deep);
  CHECK(parse("n " + nested("min(1,", 65)).mistake == too_deep);
}

TEST_CASE("at compile time the limit and the message are the same") {
  static constexpr auto deep = [] {
    std::array<char, 2 * 65 + 3> text{};
    for (std::size_t i = 0; i < 65; ++i) text[i] = '(', text[68 + i] = ')';
    text[65] = 'n', text[66] = '+', text[67] = '1';
    return text;
  }();
  static_assert(parse(std::string_view(deep.data() + 1, 64 + 3 + 64)).mistake != too_deep);
  static_assert(parse(std::string_view(deep.data(), deep.size())).mistake == too_deep);
}

TEST_CASE("deeper nesting throws without recursion, for any depth") {
  constexpr int very = 200'000;
  for (std::string_view open : {"(", "min(", "min(n,", "1+(", "-("}) {
    CAPTURE(std::string(open));
    CHECK(!parse(repeated(open, very)).ok());
    CHECK(!parse("n " + nested(open, very)).ok());
    CHECK(read_annotation("n " + nested(open, very)).mistake.size() > 0);
    CHECK(read_pattern<2>(nested(open, very) + ", n").mistake.size() > 0);
  }
  CHECK(parse("n " + nested("(", very)).mistake == too_deep);
  CHECK(parse("n " + nested("min(1,", very)).mistake == too_deep);
}

TEST_CASE("deeper nesting in a pattern throws without recursion, for any depth") {
  Shape const shape = parse("a b").shape;
  std::string const open = repeated("( ", 200'000);
  CHECK(!rearrange_rule(open + "a b -> b a", shape).fits);
  CHECK(!rearrange_rule("a b -> " + open + "b a", shape).fits);
  CHECK(!einsum_rule(open + "a b -> b a", shape).fits);
}
