// Documents of YAML that are no configurations end in one line each.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <tenon/train/yaml.hpp>

#include "hostile_config.hpp"

namespace yaml_hostile {
namespace {

using namespace tenon::training;
using hostile_config::Config;
using hostile_config::Input;
using hostile_config::repeated;

void check(std::vector<Input> const& inputs) {
  for (Input const& input : inputs)
    hostile_config::check(input, "h.yaml", [](std::string const& text) {
      return config_from_yaml<Config>(text, "h.yaml");
    });
}

std::string const yaml = "expected valid YAML, got ";

TEST_CASE("documents with values of wrong types") {
  check({
      {"seed: one", 1, "'seed': expected int32, got 'one'"},
      {"seed: 1.0", 1, "'seed': expected int32, got '1.0'"},
      {"seed: '1'", 1, "got the string \"1\""},
      {"seed: [1]", 1, "got a list of 1 value"},
      {"seed: {}", 1, "got a table"},
      {"seed:", 1, "got null"},
      {"seed: 2026-01-01", 1, "got '2026-01-01'"},
      {"seed: 1_000", 1, "got '1_000'"},
      {"seed: 99999999999999999999", 1, "expected int32"},
      {"seed: 2147483648", 1, "expected int32 from"},
      {"big: -1", 1, "expected uint64 from 0"},
      {"big: 18446744073709551616", 1, "expected uint64"},
      {"flag: yes", 1, "'flag': expected bool, got 'yes'"},
      {"flag: True", 1, "'flag': expected bool"},
      {"flag: 'true'", 1, "'flag': expected bool"},
      {"kind: three", 1, "'kind': expected 'one' or 'two'"},
      {"name: ~", 1, "'name': expected string, got null"},
      {"name: [a]", 1, "'name': expected string"},
      {"inner: 1", 1, "'inner': expected table"},
      {"inner:\n- rate: 1", 1, "'inner': expected table"},
      {"inner: {rate: 2}", 1, "expected a number from 0 to 1, got '2'"},
      {"inner:\n  rate: .nan", 2, "expected a number from 0 to 1"},
      {"inner:\n  rate: 1e999", 2, "'inner.rate': expected float64"},
      {"inner: {sizes: 1}", 1, "'inner.sizes': expected list"},
      {"inner: {sizes: [\n1,\nx]}", 3, "'inner.sizes.1': expected int32"},
      {"limit: 1e39", 1, "'limit': expected float32, at most 3.4028235e+38, got '1e39'"},
      {"limit: 1e-60", 1, "'limit': expected float32, 0 or at least 1e-45, got '1e-60'"},
      {"inner:\n  rate: -1e-999", 2, "'inner.rate': expected float64, 0 or at least 5e-324"},
      {"limit: [1]", 1, "'limit': expected float32"},
      {"- 1", 0, "expected table, got a list of 1 value"},
      {"3", 0, "expected table, got '3'"},
      {"\"x\"", 0, "expected table, got the string \"x\""},
  });
}

TEST_CASE("documents with unknown keys and keys twice") {
  check({
      {"sead: 1", 1, "did you mean 'seed'?"},
      {"? seed\n: 1\n? seed\n: 2", 3, "expected each key once"},
      {"{seed: 1, seed: 1}", 1, "expected each key once, got 'seed' again"},
      {"seed: 1\n\"seed\": 1", 2, "expected each key once"},
      {"inner: {rate: 1}\ninner: {}", 2, "expected each key once"},
      {"? [a]\n: 1", 1, "expected a key, got a list"},
      {"? {a: 1}\n: 1", 1, "expected a key, got a table"},
      {"~: 1", 1, "expected a key, got null"},
      {": 1", 1, "expected a key, got null"},
      {"inner.rate: 1", 1, "'inner.rate': expected a known key"},
      {"\"a\\nb\": 1", 1, "'a\\x0ab': expected a known key"},
      {repeated("k", 1000) + ": 1", 1, "expected a known key"},
      {"include: /etc/passwd", 1, "'include': expected a known key"},
  });
}

TEST_CASE("documents with anchors, aliases, tags, merges and includes") {
  std::string bomb = "a: &a [x, x]\n";
  for (char c = 'b'; c < 'z'; ++c) {
    auto const name = std::string(1, c), last = std::string(1, static_cast<char>(c - 1));
    bomb += name + ": &" + name + " [*" + last + ", *" + last + "]\n";
  }
  check({
      {bomb, 1, "expected a value, got an anchor"},
      {"seed: &a 1", 1, "expected a value, got an anchor"},
      {"inner: &a {rate: 1}", 1, "got an anchor"},
      {"seed: *a", 1, yaml},
      {"inner: &a\n  self: *a", 1, "got an anchor"},
      {"&a seed: 1", 1, "got an anchor"},
      {"inner: {<<: {rate: 1}}", 1, "expected a key, got a merge"},
      {"<<: {seed: 1}", 1, "expected a key, got a merge"},
      {"seed: !!int 1", 1, "got the tag 'tag:yaml.org,2002:int'"},
      {"name: !!python/object/apply:os.system [ls]", 1, "got the tag"},
      {"name: !include /etc/passwd", 1, "got the tag '!include'"},
      {"inner: !!map {}", 1, "got the tag"},
      {"name: !<x> y", 1, "got the tag"},
      {"%TAG ! tag:x,2000:\n---\nname: !y z", 3, "got the tag"},
  });
}

TEST_CASE("documents with wrong syntax") {
  check({
      {"seed: 1\n  name: x", 2, yaml},
      {"seed: [1", 1, yaml},
      {"inner: {rate: 1", 1, yaml},
      {"seed: 1]", 1, ""},
      {"name: \"x", 1, yaml},
      {"name: 'x", 1, yaml},
      {"name: \"\\q\"", 1, yaml},
      {"name: \"\\ud800\"", 1, yaml},
      {"name: \"\\U00110000\"", 1, yaml},
      {"name: \"\\x1\"", 1, yaml},
      {"name: @x", 1, yaml},
      {"name: `x`", 1, yaml},
      {"name: %x", 1, yaml},
      {"\tseed: 1", 1, ""},
      {"seed: 1\n---\nseed: 2", 2, "expected one document, got more"},
      {"%YAML 9.9\n---\nseed: 1", 1, yaml},
      {"%YAML 1.2\n%YAML 1.2\n---\n", 2, yaml},
      {"seed = 1", 0, "expected table"},
      {"name: x: y", 1, yaml},
      {"- a\nseed: 1", 2, "expected one document"},
      {"seed: 1\n- a", 2, yaml},
      {"name: |x\n  a", 1, yaml},
  });
}

TEST_CASE("documents with other bytes than text") {
  check({
      {std::string("seed: 1\n\0", 9), 2, "got a NUL character"},
      {"name: \"\xff\"", 1, "expected text in UTF-8"},
      {"\n# \xc0\x80", 2, "expected text in UTF-8"},
      {"name: \"\\N\"", 1, "expected text in UTF-8"},
      {"\xfe\xff", 1, "expected text in UTF-8"},
      {"seed: 1\nname: \x04\nsede: 2", 2, "got the control character \\x04"},
      {"name: \"\x1b[31m\"", 1, "got the control character \\x1b"},
      {"name: \x7f", 1, "got the control character \\x7f"},
  });
}

TEST_CASE("documents of great depth and size") {
  std::string const deep = "expected at most 64 values in each other";
  std::string indented;
  for (int i = 0; i < 200; ++i) indented += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  check({
      {"seed: " + repeated("[", 100000), 1, ""},
      {repeated("{a: ", 100000), 1, ""},
      {"seed: " + repeated("[", 100) + repeated("]", 100), 1, deep},
      {repeated("{a: ", 65) + repeated("}", 65), 1, deep},
      {repeated("- ", 1000) + "1", 1, deep},
      {indented, 65, deep},
      {std::string(std::size_t{17} << 20, '\n'), 0, "at most 16 MiB of text, got 17825792 bytes"},
      {"name: " + std::string(std::size_t{17} << 20, 'x'), 0, "at most 16 MiB of text"},
      {"name: " + std::string(std::size_t{1} << 20, 'x') + "\nseed: x", 2, "'seed'"},
      {"seed: " + std::string(std::size_t{1} << 20, 'x'), 1, "got 'xxx"},
  });
}

}  // namespace
}  // namespace yaml_hostile
