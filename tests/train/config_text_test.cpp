// Configurations as documents of TOML.

#include <doctest/doctest.h>

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <tenon/train/config.hpp>

#include "random_config.hpp"

namespace config_text {
namespace {

using namespace tenon::training;

enum class Optimiser { sgd, adam };

struct Training {
  double learning_rate = 1e-3;
  Optimiser optimiser = Optimiser::adam;

  static constexpr auto describe() {
    return fields(field<&Training::learning_rate>("the peak learning rate").range(0, 1));
  }
};

struct Config {
  int seed = 1;
  Training training{};
  std::string device = "cpu";
  std::vector<Training> phases{{}};
  std::optional<int> rank{};

  static constexpr auto describe() {
    return fields(field<&Config::training>("how it is trained"),
                  field<&Config::device>("\"cpu\" or\n\"cuda\""));
  }
};

TEST_CASE("a document has the fields in their order, tables last, descriptions as comments") {
  CHECK(to_toml(Config{}) ==
        "seed = 1\n"
        "# \"cpu\" or\\x0a\"cuda\"\n"
        "device = \"cpu\"\n"
        "phases = [{learning_rate = 0.001, optimiser = \"adam\"}]\n"
        "rank = []\n"
        "\n"
        "# how it is trained\n"
        "[training]\n"
        "# the peak learning rate, from 0 to 1\n"
        "learning_rate = 0.001\n"
        "optimiser = \"adam\"\n");
}

TEST_CASE("random configurations come back from TOML to the bit") {
  random_config::Random random(7);
  for (int i = 0; i < 500; ++i) {
    auto const config = random_config::random_value(random);
    auto const text = to_toml(config);
    CAPTURE(text);
    CHECK(random_config::same(config_from_toml<random_config::Config>(text), config));
  }
}

TEST_CASE("all floats near powers of two come back to the bit") {
  struct One {
    float x = 0;
  };
  for (std::uint32_t exponent = 0; exponent < 255; ++exponent) {
    for (std::uint32_t const mantissa : {0u, 1u, 2u, 0x7ffffeu, 0x7fffffu, 0x2aaaaau}) {
      float const x = std::bit_cast<float>(exponent << 23 | mantissa);
      float const back = config_from_toml<One>(to_toml(One{x})).x;
      CHECK(std::bit_cast<std::uint32_t>(back) == std::bit_cast<std::uint32_t>(x));
    }
  }
}

TEST_CASE("signs of zeros and infinities, and NaN, come back") {
  struct Two {
    double x = 1;
    float y = 1;
  };
  double const infinity = std::numeric_limits<double>::infinity();
  CHECK(to_toml(Two{-0.0, 0.1f}) == "x = -0.0\ny = 0.1\n");
  CHECK(std::signbit(config_from_toml<Two>(to_toml(Two{-0.0, 0})).x));
  CHECK(config_from_toml<Two>(to_toml(Two{-infinity, 0})).x == -infinity);
  CHECK(config_from_toml<Two>("y = inf").y > 0);
  CHECK(std::isnan(config_from_toml<Two>("y = -nan").y));
}

TEST_CASE("integers above those of TOML are strings") {
  struct One {
    std::uint64_t x = 0;
  };
  One const most{std::numeric_limits<std::uint64_t>::max()};
  CHECK(to_toml(most) == "x = \"18446744073709551615\"\n");
  CHECK(config_from_toml<One>(to_toml(most)).x == most.x);
  CHECK_THROWS_WITH_AS(config_from_toml<One>("x = \"12\"", "a.toml"),
                       "tenon::config_from_toml: 'x': expected uint64, got the string \"12\" "
                       "(a.toml:1)",
                       ConfigError);
}

TEST_CASE("a string that is not UTF-8 is refused") {
  CHECK_THROWS_WITH_AS(to_toml(Config{.device = "a\xff"}),
                       "tenon::to_toml: 'a\xff': expected a string in UTF-8, got other bytes",
                       ConfigError);
}

TEST_CASE("a struct without fields is an empty document") {
  struct Nothing {};
  struct Outer {
    Nothing nothing{};
  };
  CHECK(to_toml(Nothing{}).empty());
  CHECK(to_toml(Outer{}) == "[nothing]\n");
  (void)config_from_toml<Outer>("[nothing]");
  CHECK_THROWS_AS(config_from_toml<Nothing>("x = 1"), ConfigError);
}

TEST_CASE("a run records a configuration through the writer of its type") {
  auto const text = tenon::internal::training::ConfigWriter<Config>::write(Config{.seed = 9});
  CHECK(text.format == "toml");
  CHECK(config_from_toml<Config>(text.text).seed == 9);
}

}  // namespace
}  // namespace config_text
