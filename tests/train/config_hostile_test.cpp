// Documents of TOML that are no configurations end in one line each.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <tenon/train/config.hpp>

#include "../io/folder.hpp"
#include "hostile_config.hpp"

namespace config_hostile {
namespace {

using namespace tenon::training;
using hostile_config::Config;
using hostile_config::Input;
using hostile_config::repeated;

void check(std::vector<Input> const& inputs) {
  for (Input const& input : inputs)
    hostile_config::check(input, "h.toml", [](std::string const& text) {
      return config_from_toml<Config>(text, "h.toml");
    });
}

std::string const toml = "expected valid TOML, got ";

TEST_CASE("documents with values of wrong types") {
  check({
      {"seed = \"1\"", 1, "'seed': expected int32"},
      {"\nseed = 1.5", 2, "'seed': expected int32, got 1.5"},
      {"seed = true", 1, "got true"},
      {"seed = [1]", 1, "got a list of 1 value"},
      {"seed = {}", 1, "got a table"},
      {"seed = 1979-05-27", 1, "expected no dates and times, got one"},
      {"seed = 1--------- 3\n", 1, "expected no dates and times, got one"},
      {"seed = 1aaa-aa-aa 3", 1, "expected no dates and times, got one"},
      {"seed = 07:32:00", 1, "expected no dates and times, got one"},
      {"seed = 1979-05-27T07:32:00Z", 1, "expected no dates and times, got one"},
      {"seed = inf", 1, "got inf"},
      {"seed = -nan", 1, "'seed': expected int32"},
      {"name = 1", 1, "'name': expected string, got 1"},
      {"name = [\"a\"]", 1, "expected string"},
      {"folder = 1.0", 1, "'folder': expected path"},
      {"flag = \"true\"", 1, "'flag': expected bool"},
      {"flag = 0", 1, "'flag': expected bool"},
      {"kind = 1", 1, "'kind': expected 'one' or 'two', got 1"},
      {"kind = \"three\"", 1, "got the string \"three\""},
      {"kind = \"\"", 1, "got the string \"\""},
      {"inner = 1", 1, "'inner': expected table"},
      {"inner = []", 1, "'inner': expected table"},
      {"[[inner]]", 1, "'inner': expected table, got a list of 1 value"},
      {"limit = [1.0]", 1, "'limit': expected float32"},
      {"limit = {}", 1, "'limit': expected float32"},
      {"big = \"1\"", 1, "'big': expected uint64"},
      {"big = \"x\"", 1, "'big': expected uint64"},
      {"[inner]\nsizes = 1", 2, "'inner.sizes': expected list of int32"},
      {"[inner]\nsizes = [1, [2]]", 2, "'inner.sizes.1': expected int32"},
      {"[inner]\nsizes = [1,\n\"2\"]", 3, "'inner.sizes.1': expected int32"},
      {"[inner]\nsizes = {a = 1}", 2, "expected list of int32, got a table"},
      {"[inner.rate]", 1, "'inner.rate': expected float64, got a table"},
  });
}

TEST_CASE("documents with unknown keys and keys twice") {
  check({
      {"sead = 1", 1, "did you mean 'seed'?"},
      {"Seed = 1", 1, "did you mean 'seed'?"},
      {"\"\" = 1", 1, "expected a known key"},
      {"\"a\\nb\" = 1", 1, "'a\\x0ab': expected a known key"},
      {"\"inner.rate\" = 1", 1, "expected a known key"},
      {repeated("k", 100000) + " = 1", 1, "expected a known key"},
      {"[inner]\nrats = 1", 2, "did you mean 'inner.rate'?"},
      {"inner.inner.rate = 1", 1, "'inner.inner': expected a known key"},
      {"include = \"/etc/passwd\"", 1, "'include': expected a known key"},
      {"seed = 1\nseed = 2", 2, toml},
      {"[inner]\n[inner]", 2, toml},
      {"inner.rate = 1\ninner.rate = 1", 2, toml},
      {"inner = {rate = 1, rate = 1}", 1, toml},
      {"inner = {}\n[inner]", 2, toml},
      {"seed = 1\nseed.a = 2", 2, toml},
      {"seed = 1\n[seed]", 2, toml},
      {"seed = 1\n'seed' = 2", 2, toml},
  });
}

TEST_CASE("documents with numbers that are too large or out of their range") {
  check({
      {"seed = 2147483648", 1, "expected int32 from -2147483648 to 2147483647"},
      {"seed = 9223372036854775807", 1, "got 9223372036854775807"},
      {"seed = 9223372036854775808", 1, toml},
      {"seed = " + std::string(1000, '9'), 1, "expected numbers in the range of float64"},
      {"seed = 0x" + std::string(100, 'f'), 1, toml},
      {"big = -1", 1, "'big': expected uint64 from 0 to 18446744073709551615"},
      {"big = \"18446744073709551616\"", 1, "'big': expected uint64"},
      {"limit = 1e39", 1, "'limit': expected float32, at most"},
      {"limit = 1e-60", 1, "'limit': expected float32, 0 or at least 1e-45, got 1e-60"},
      {"inner.rate = 1e999", 1, "expected numbers in the range of float64, got 1e999"},
      {"inner.rate = 1e-999", 1, "expected numbers in the range of float64, got 1e-999"},
      {"inner.rate = " + std::string(1000, '9'), 1, "expected numbers in the range of float64"},
      {"inner.rate = 1.1", 1, "expected a number from 0 to 1, got 1.1"},
      {"inner.rate = -1e-300", 1, "expected a number from 0 to 1"},
      {"inner.rate = nan", 1, "expected a number from 0 to 1, got nan"},
      {"inner.rate = inf", 1, "expected a number from 0 to 1, got inf"},
      {"inner.sizes = [4294967296]", 1, "'inner.sizes.0': expected int32"},
  });
}

TEST_CASE("documents with wrong syntax") {
  check({
      {"seed", 1, toml},
      {"seed =", 1, toml},
      {"= 1", 1, toml},
      {"seed = 1 2", 1, toml},
      {"seed = 01", 1, toml},
      {"seed = 1__0", 1, toml},
      {"seed = .5", 1, toml},
      {"seed = yes", 1, toml},
      {"seed: 1", 1, "no dates and times"},
      {"{\"seed\": 1}", 1, "no dates and times"},
      {"[inner", 1, toml},
      {"[]", 1, toml},
      {"[[~]]", 1, toml},
      {"seed = 1'ö", 1, toml + "a quote within a value"},
      {"seed = 1.\"ö\"", 1, toml + "a quote within a value"},
      {"\nseed = -=\"ö\"", 2, toml + "a '=' within a value"},
      {"seed = [1, 2=\"ö\"]", 1, toml + "a '=' within a value"},
      {"seed = 1{a=\"ö\"", 1, toml + "a { within a value"},
      {"seed = 1[\"ö\"]", 1, toml + "a [ within a value"},
      {"inner.sizes = [1,}", 1, toml + "a } that closes nothing"},
      {"seed = ]", 1, toml + "a ] that closes nothing"},
      {"seed ö = 1", 1, toml + "a character outside of strings"},
      {"seed = ö", 1, toml + "a character outside of strings"},
      {"name = \"\\ö\"", 1, toml + "a character that is not ASCII after a backslash"},
      {"name = \"\"\"\\\n ö\"\"\"", 1, toml + "a character that is not ASCII after"},
      {"seed = 1\n \t[ [", 2, toml},
      {"\xef\xbb\xbf[.a]", 1, toml},
      {"[", 1, toml},
      {"[inner]]", 1, toml},
      {"a..b = 1", 1, toml},
      {"name = \"x", 1, toml},
      {"name = 'x", 1, toml},
      {"\nname = \"\"\"x", 2, toml},
      {"name = '''", 1, toml},
      {"name = \"\\q\"", 1, toml},
      {"name = \"\\ud800\"", 1, toml},
      {"name = \"\\U00110000\"", 1, toml},
      {"name = \"\\u12\"", 1, toml},
      {"name = \"a\x01\"", 1, toml},
      {"name = \"a\nb\"", 2, toml},
      {"inner.sizes = [1, 2", 1, toml},
      {"inner = {rate = 1", 1, toml},
      {"inner = {rate = 1,}", 1, toml},
      {"seed = 2026-13-01", 1, "no dates"},
      {"seed = 2026-02-30T:", 1, "no dates"},
      {"seed = 1\r2", 1, toml},
      {"%YAML 1.2", 1, toml},
      {"name = &a \"x\"", 1, toml},
      {"name = *a", 1, toml},
      {"@include \"x\"", 1, toml},
      {"name = \"\\x1b[31m\"\x1b[31m", 1, toml},
  });
}

TEST_CASE("documents with other bytes than text") {
  check({
      {std::string("seed = 1\n\0", 10), 2, "got a NUL character"},
      {std::string("name = \"a\0b\"", 12), 1, "got a NUL character"},
      {"name = \"\xff\"", 1, "expected text in UTF-8"},
      {"\n\nname = \"\xc0\x80\"", 3, "expected text in UTF-8"},
      {"name = \"\xed\xa0\x80\"", 1, "expected text in UTF-8"},
      {"name = \"\xf4\x90\x80\x80\"", 1, "expected text in UTF-8"},
      {"# \x80", 1, "expected text in UTF-8"},
      {"\xff\xfes\x01", 1, "expected text in UTF-8"},
      {std::string("s\0e\0", 4), 1, "got a NUL character"},
      {"\x7f"
       "ELF\x02",
       1, toml},
      {"\x93NUMPY", 1, "expected text in UTF-8"},
  });
}

TEST_CASE("documents of great depth and size") {
  std::string const deep = "expected at most 64 values in each other";
  check({
      {"inner.sizes = " + repeated("[", 100000), 1, deep},
      {"inner = " + repeated("{a=", 100000), 1, deep},
      {"inner = " + repeated("{a=[", 40), 1, deep},
      {repeated("a.", 200000) + "a = 1", 1, deep},
      {"\n[" + repeated("a.", 100000) + "a]", 2, deep},
      {"[[" + repeated("a . ", 100000) + "a]]", 1, deep},
      {repeated("\"a\".", 100000) + "a = 1", 1, deep},
      {"a = '''\n'''\nb = \"\\\"\"\nc = " + repeated("[", 65), 4, deep},
      {std::string((std::size_t{17} << 20), '\n'), 0, "at most 16 MiB of text, got 17825792 bytes"},
      {"name = \"" + std::string(std::size_t{17} << 20, 'x') + "\"", 0, "at most 16 MiB of text"},
      {"name = \"" + std::string(std::size_t{2} << 20, 'x') + "\"\nseed = 0.5", 2, "'seed'"},
      {"seed = \"" + std::string(std::size_t{2} << 20, 'x') + "\"", 1, "got the string \"xxx"},
      {"seed = \"" + std::string(59, 'x') + repeated("é", 100) + "\"", 1, "xxx...\""},
  });
}

TEST_CASE("64 lists in each other are parsed") {
  check({{"seed = " + repeated("[", 60) + repeated("]", 60), 1, "'seed': expected int32"}});
  check({{"a." + repeated("b.", 50) + "c = 1", 1, "'a': expected a known key"}});
}

TEST_CASE("a file of a size that is not its own") {
  Folder const folder;
  write_bytes(folder / "h.toml", "seed = 1\n");
  std::filesystem::resize_file(folder / "h.toml", std::uintmax_t{1} << 40);  // a hole
  auto const load = [&] {
    (void)parse_config<Config>({"--config=" + (folder / "h.toml").string()});
  };
  CHECK(words_of<ConfigError>(load) ==
        "tenon::parse_config: expected at most 16 MiB of text, got 1099511627776 bytes (h.toml)");
}

}  // namespace
}  // namespace config_hostile
