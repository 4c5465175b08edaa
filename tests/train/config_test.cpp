// Configurations from documents of TOML.

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <tenon/train/config.hpp>

#include "../io/folder.hpp"

namespace config {
namespace {

using namespace tenon::training;

enum class Precision { float32, bfloat16 };
enum class Signed : signed char { below = -16, zero = 0, above = 111, far = 112 };

struct Schedule {
  int warm_up = 10;
  double floor = 0.1;
};

struct Training {
  double learning_rate = 1e-3;
  std::int64_t steps = 100;
  Schedule schedule{};

  static constexpr auto describe() {
    return fields(field<&Training::learning_rate>("the peak learning rate").range(0, 1),
                  field<&Training::steps>("").range(1, 1e6));
  }
};

struct Config {
  int seed = 1;
  std::string device = "cpu";
  Precision precision = Precision::float32;
  Training training{.steps = 200};
  std::optional<float> clip = 1.0f;
  std::vector<std::string> tags{};
  std::array<double, 2> betas{0.9, 0.999};
  std::filesystem::path data = "data";
  std::vector<Schedule> phases{};
  std::uint8_t level = 0;
  bool verbose = false;
};

Config read(std::string const& text) { return config_from_toml<Config>(text, "my.toml"); }

std::string refusal(std::string const& text) {
  return words_of<ConfigError>([&] { (void)read(text); });
}

std::string refused(std::string const& key, std::string const& words) {
  return "tenon::config_from_toml: '" + key + "': expected " + words;
}

TEST_CASE("keys that a document does not have keep the defaults of their fields") {
  Config const config = read("");
  CHECK(config.seed == 1);
  CHECK(config.device == "cpu");
  CHECK(config.training.steps == 200);
  CHECK(config.training.learning_rate == 1e-3);
  CHECK(config.clip == 1.0f);
}

TEST_CASE("all types of fields are read") {
  Config const config = read(R"(
seed = -5
device = "cuda"
precision = "bfloat16"
clip = 2
tags = ["a", "b\n"]
betas = [0.5, 1]
data = "/tmp/ü"
level = 0xff
verbose = true
phases = [{warm_up = 1}, {floor = 2.5}]
)");
  CHECK(config.seed == -5);
  CHECK(config.device == "cuda");
  CHECK(config.precision == Precision::bfloat16);
  CHECK(config.clip == 2.0f);
  CHECK(config.tags == std::vector<std::string>{"a", "b\n"});
  CHECK(config.betas == std::array{0.5, 1.0});
  CHECK(config.data == std::filesystem::path(u8"/tmp/ü"));
  CHECK(config.level == 255);
  CHECK(config.verbose);
  REQUIRE(config.phases.size() == 2);
  CHECK(config.phases[0].warm_up == 1);
  CHECK(config.phases[0].floor == 0.1);
  CHECK(config.phases[1].floor == 2.5);
}

TEST_CASE("keys of three levels are set as tables, dotted keys and inline tables") {
  CHECK(read("[training.schedule]\nwarm_up = 3").training.schedule.warm_up == 3);
  CHECK(read("training.schedule.warm_up = 3").training.schedule.warm_up == 3);
  CHECK(read("training = {schedule = {warm_up = 3}}").training.schedule.warm_up == 3);
  Config const config = read("[training]\nsteps = 7\n[training.schedule]\nfloor = 0.5\n");
  CHECK(config.training.steps == 7);
  CHECK(config.training.schedule.floor == 0.5);
  CHECK(config.training.schedule.warm_up == 10);
}

TEST_CASE("lists of tables are read from headers in double brackets") {
  Config const config = read("[[phases]]\nwarm_up = 1\n[[phases]]\nwarm_up = 2\n");
  REQUIRE(config.phases.size() == 2);
  CHECK(config.phases[1].warm_up == 2);
}

TEST_CASE("strings in three quotes are read, with quotes at their ends") {
  std::string const quotes(3, '"');
  CHECK(read("device = " + quotes + "a" + quotes + "\"\"\nseed = 2").device == "a\"\"");
  CHECK(read("device = " + quotes + "\"[\\\n  b]" + quotes + "\"").device == "\"[b]\"");
  CHECK(read("device = \'\'\'\n[{\"\'\'\'\nseed = 2").seed == 2);
}

TEST_CASE("an optional value is none by an empty list") {
  CHECK(!read("clip = []").clip.has_value());
  CHECK(refusal("clip = [1]") == refused("clip", "float32, got a list of 1 value (my.toml:1)"));
}

TEST_CASE("an unknown key is reported with the nearest known one and the line") {
  CHECK(refusal("\n[training]\nlearning_rat = 1") ==
        refused("training.learning_rat",
                "a known key, got none of that name; did you mean 'training.learning_rate'? "
                "(my.toml:3)"));
  CHECK(refusal("learning_rate = 1") ==
        refused("learning_rate", "a known key, got none of that name (my.toml:1)"));
  CHECK(
      refusal("phases = [{warm_pu = 1}]") ==
      refused("phases.0.warm_pu",
              "a known key, got none of that name; did you mean 'phases.0.warm_up'? (my.toml:1)"));
}

TEST_CASE("values of a wrong type are reported with the type and the value") {
  CHECK(refusal("seed = \"1\"") == refused("seed", "int32, got the string \"1\" (my.toml:1)"));
  CHECK(refusal("seed = 1.0") == refused("seed", "int32, got 1.0 (my.toml:1)"));
  CHECK(refusal("device = 1") == refused("device", "string, got 1 (my.toml:1)"));
  CHECK(refusal("data = true") == refused("data", "path, got true (my.toml:1)"));
  CHECK(refusal("verbose = 1") == refused("verbose", "bool, got 1 (my.toml:1)"));
  CHECK(refusal("clip = \"1\"") == refused("clip", "float32, got the string \"1\" (my.toml:1)"));
  CHECK(refusal("tags = \"a\"") ==
        refused("tags", "list of string, got the string \"a\" (my.toml:1)"));
  CHECK(refusal("betas = [1, 2, 3]") ==
        refused("betas", "list of 2 float64, got a list of 3 values (my.toml:1)"));
  CHECK(refusal("betas = [\n1,\ntrue]") == refused("betas.1", "float64, got true (my.toml:3)"));
  CHECK(refusal("training = 1") == refused("training", "table, got 1 (my.toml:1)"));
  CHECK(refusal("[seed]") == refused("seed", "int32, got a table (my.toml:1)"));
  for (std::string const value : {"2026-01-01", "12:00:00", "2026-01-01T12:00:00", "0000-"})
    CHECK(refusal("seed = " + value) ==
          "tenon::config_from_toml: expected no dates and times, got one (my.toml:1)");
}

TEST_CASE("numbers that their type does not have are reported with its limits") {
  CHECK(refusal("seed = 3000000000") ==
        refused("seed", "int32 from -2147483648 to 2147483647, got 3000000000 (my.toml:1)"));
  CHECK(refusal("seed = -2147483649") ==
        refused("seed", "int32 from -2147483648 to 2147483647, got -2147483649 (my.toml:1)"));
  CHECK(read("seed = -2147483648").seed == -2147483647 - 1);
  CHECK(refusal("level = -1") == refused("level", "uint8 from 0 to 255, got -1 (my.toml:1)"));
  CHECK(refusal("level = 256") == refused("level", "uint8 from 0 to 255, got 256 (my.toml:1)"));
  CHECK(refusal("clip = 1e39") ==
        refused("clip", "float32, at most 3.4028235e+38, got 1e+39 (my.toml:1)"));
}

TEST_CASE("numbers that round to zero are reported, zeros and subnormal numbers are not") {
  CHECK(refusal("clip = -1e-60") ==
        refused("clip", "float32, 0 or at least 1e-45, got -1e-60 (my.toml:1)"));
  for (std::string const number : {"1e-400", "-1_0.0E-400", "0.00001e-330"})
    CHECK(refusal("\n\ntraining.learning_rate = " + number)
              .starts_with(
                  "tenon::config_from_toml: expected numbers in the range of float64, got "));
  CHECK(refusal("betas = [0.5,1e-400]").ends_with("got 1e-400 (my.toml:1)"));
  CHECK(read("clip = 1e-45").clip == std::numeric_limits<float>::denorm_min());
  CHECK(read("clip = 0.0e-99").clip == 0.0f);
  CHECK(read("training.learning_rate = 5e-324").training.learning_rate > 0);
  CHECK(read("seed = 0x1e999").seed == 0x1e999);
  CHECK(refusal("1e999 = 1") == refused("1e999", "a known key, got none of that name (my.toml:1)"));
  CHECK(read("device = '1e-400'").device == "1e-400");
}

TEST_CASE("values out of a declared range are reported with it, NaN among them") {
  std::string const key = "training.learning_rate";
  CHECK(refusal("training.learning_rate = 1.5") ==
        refused(key, "a number from 0 to 1, got 1.5 (my.toml:1)"));
  CHECK(refusal("training.learning_rate = nan") ==
        refused(key, "a number from 0 to 1, got nan (my.toml:1)"));
  CHECK(refusal("training.steps = 0") ==
        refused("training.steps", "a number from 1 to 1e+06, got 0 (my.toml:1)"));
  CHECK(read("training.learning_rate = 1").training.learning_rate == 1);
}

TEST_CASE("defaults out of their declared range are reported") {
  struct Wrong {
    int x = 5;
    static constexpr auto describe() { return fields(field<&Wrong::x>("").range(0, 4)); }
  };
  CHECK_THROWS_WITH_AS(config_from_toml<Wrong>("x = 1"),
                       "tenon::config_from_toml: 'x': expected a number from 0 to 4, got 5 (the "
                       "defaults)",
                       ConfigError);
}

TEST_CASE("enumerators are read by name, negative and far ones up to 111") {
  struct One {
    Signed x = Signed::zero;
  };
  CHECK(config_from_toml<One>("x = \"below\"").x == Signed::below);
  CHECK(config_from_toml<One>("x = \"above\"").x == Signed::above);
  CHECK_THROWS_AS(config_from_toml<One>("x = \"far\""), ConfigError);
  CHECK(refusal("precision = \"bfloat61\"") ==
        refused("precision",
                "'float32' or 'bfloat16', got the string \"bfloat61\"; did you mean 'bfloat16'? "
                "(my.toml:1)"));
  CHECK(refusal("precision = 1") ==
        refused("precision", "'float32' or 'bfloat16', got 1 (my.toml:1)"));
}

TEST_CASE("what is not TOML is reported with its line") {
  CHECK(refusal("seed = 1\nseed = 2").find("expected valid TOML, got ") != std::string::npos);
  CHECK(refusal("seed = 1\nseed = 2").ends_with("(my.toml:2)"));
  CHECK(refusal("seed = \"\xff\"") ==
        "tenon::config_from_toml: expected text in UTF-8, got other bytes (my.toml:1)");
  CHECK(refusal(std::string("seed\n\0", 6)) ==
        "tenon::config_from_toml: expected text, got a NUL character (my.toml:2)");
}

TEST_CASE("only plain structs are configurations") {
  static_assert(Configuration<Config>);
  static_assert(!Configuration<int>);
  static_assert(!Configuration<std::string>);
  static_assert(!Configuration<std::vector<Config>>);
}

}  // namespace
}  // namespace config
