#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

/// A configuration with fields of every type, and random values of it, the same on all machines.
namespace random_config {

enum class Colour : std::uint8_t { red, green = 7, blue = 100 };

struct Leaf {
  double x = 0.5;
  std::string text = "leaf";
  std::vector<Colour> colours{Colour::blue};
};

struct Branch {
  std::optional<Leaf> leaf = Leaf{};
  std::vector<Leaf> leaves{};
  std::optional<std::string> name = "branch";
};

struct Tree {
  Branch left{};
  bool is_tall = true;
  std::array<float, 3> sizes{1, 2, 3};
  Branch right{};
};

struct Config {
  std::int8_t i8 = -1;
  std::int16_t i16 = -1;
  std::int32_t i32 = -1;
  std::int64_t i64 = -1;
  std::uint8_t u8 = 1;
  std::uint16_t u16 = 1;
  std::uint32_t u32 = 1;
  std::uint64_t u64 = 1;
  float f = 0.1f;
  double d = 0.1;
  std::filesystem::path path = "a/b";
  Tree tree{};
  std::vector<bool> flags{true};
  std::vector<std::vector<double>> rows{{1}, {}};
  std::vector<float> singles{0.1f};
  std::optional<int> rank = 3;
};

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}

  std::uint64_t bits() { return std::uint64_t{engine_()} << 32 | engine_(); }
  std::uint64_t below(std::uint64_t n) { return bits() % n; }

  template <class T>
  T integer() {
    using Limits = std::numeric_limits<T>;
    std::array const some{Limits::min(), Limits::max(), T{0}, T{1}};
    auto const choice = below(8);
    return choice < 4 ? some[choice] : static_cast<T>(bits());
  }

  double number() {
    std::array const some{
        0.0, -0.0, 1.0, 0.1, 5e-324, 1.7976931348623157e308, 1e100, 9007199254740993.0};
    auto const choice = below(20);
    if (choice < some.size()) return some[choice];
    return special(std::bit_cast<double>(bits()));
  }
  float single() {
    return static_cast<float>(special(std::bit_cast<float>(static_cast<std::uint32_t>(engine_()))));
  }

  /// Characters of one to four bytes, with all control characters.
  std::string text() {
    std::array<std::string, 12> const some{"\"", "\\", "é",      "\u2028", "𝔸",  "\ufeff",
                                           "#",  "'",  "\u0085", "=",      ": ", "\x7f"};
    std::string result;
    for (auto n = below(12); n > 0; --n) {
      auto const choice = below(3 * some.size());
      if (choice < some.size()) result += some[choice];
      else result += static_cast<char>(below(choice % 2 ? 32 : 128));
    }
    return result;
  }

  Colour colour() { return std::array{Colour::red, Colour::green, Colour::blue}[below(3)]; }

 private:
  /// NaNs of one kind, and infinities in between.
  double special(double x) {
    if (std::isnan(x)) return std::numeric_limits<double>::quiet_NaN();
    if (below(20) == 0)
      return x < 0 ? -std::numeric_limits<double>::infinity()
                   : std::numeric_limits<double>::infinity();
    return x;
  }

  std::mt19937 engine_;
};

inline Leaf random_leaf(Random& random) {
  Leaf leaf{random.number(), random.text(), {}};
  for (auto n = random.below(3); n > 0; --n) leaf.colours.push_back(random.colour());
  return leaf;
}

inline Branch random_branch(Random& random) {
  Branch branch;
  if (random.below(2) == 0) branch.leaf = random_leaf(random);
  else branch.leaf.reset();
  for (auto n = random.below(3); n > 0; --n) branch.leaves.push_back(random_leaf(random));
  if (random.below(2) == 0) branch.name = random.text();
  else branch.name.reset();
  return branch;
}

inline void fill_numbers(Config& config, Random& random) {
  config.i8 = random.integer<std::int8_t>();
  config.i16 = random.integer<std::int16_t>();
  config.i32 = random.integer<std::int32_t>();
  config.i64 = random.integer<std::int64_t>();
  config.u8 = random.integer<std::uint8_t>();
  config.u16 = random.integer<std::uint16_t>();
  config.u32 = random.integer<std::uint32_t>();
  config.u64 = random.integer<std::uint64_t>();
  config.f = random.single();
  config.d = random.number();
}

inline Config random_value(Random& random) {
  Config config;
  fill_numbers(config, random);
  config.path = "p" + std::to_string(random.below(100));
  config.tree = {random_branch(random),
                 random.below(2) == 0,
                 {random.single(), 0.1f, -0.0f},
                 random_branch(random)};
  config.flags.clear();
  for (auto n = random.below(4); n > 0; --n) config.flags.push_back(random.below(2) == 0);
  config.rows.assign(random.below(3), {random.number(), random.number()});
  config.singles.clear();
  for (auto n = random.below(4); n > 0; --n) config.singles.push_back(random.single());
  if (random.below(2) == 0) config.rank.reset();
  return config;
}

inline bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}
inline bool same(bool a, bool b) { return a == b; }
inline bool same(int a, int b) { return a == b; }
inline bool same(std::string const& a, std::string const& b) { return a == b; }
inline bool same(Colour a, Colour b) { return a == b; }

inline bool same(Leaf const& a, Leaf const& b) {
  return same(a.x, b.x) && a.text == b.text && a.colours == b.colours;
}

template <class T>
bool same(std::optional<T> const& a, std::optional<T> const& b) {
  return a.has_value() == b.has_value() && (!a || same(*a, *b));
}

/// Lists of one length with equal elements.
template <class List>
  requires requires(List const& list) {
    list.begin();
    list.size();
  }
bool same(List const& a, List const& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same(a[i], b[i])) return false;
  return true;
}

inline bool same(Branch const& a, Branch const& b) {
  return same(a.leaf, b.leaf) && same(a.leaves, b.leaves) && same(a.name, b.name);
}

inline bool same(Tree const& a, Tree const& b) {
  return same(a.left, b.left) && a.is_tall == b.is_tall && same(a.sizes, b.sizes) &&
         same(a.right, b.right);
}

inline bool same(Config const& a, Config const& b) {
  return a.i8 == b.i8 && a.i16 == b.i16 && a.i32 == b.i32 && a.i64 == b.i64 && a.u8 == b.u8 &&
         a.u16 == b.u16 && a.u32 == b.u32 && a.u64 == b.u64 && same(a.f, b.f) && same(a.d, b.d) &&
         a.path == b.path && same(a.tree, b.tree) && a.flags == b.flags && same(a.rows, b.rows) &&
         same(a.singles, b.singles) && a.rank == b.rank;
}

}  // namespace random_config
