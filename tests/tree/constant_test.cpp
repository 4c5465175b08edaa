#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "weight.hpp"

namespace constant_test {

namespace tree = tenon::tree;
using forest::Linear;
using tenon::Constant;
using tenon::Frozen;
using tenon::Key;

namespace {

enum class Activation { relu, gelu };

/// A type without tensors may be a member of a model directly.
struct Settings {
  Linear linear{1, 2};
  bool causal = true;
  char letter = 'a';
  Activation activation = Activation::gelu;
  std::string name = "settings";
  std::string_view view = "view";
  std::vector<std::string> words{"a", "b"};
  std::vector<bool> flags{true, false};
  std::chrono::seconds patience{3};
  std::chrono::system_clock::time_point begun{};
  std::monostate none{};
  std::plus<> sum{};
  double (*function)(double) = nullptr;
  Key key{7};
  tenon::Float32<"3"> weight{1, 2, 3};
};

/// A type that could contain tensors is wrapped in `Constant<>`.
class Table {
 public:
  Table() = default;
  explicit Table(int size) : size_(size) {}
  int size() const { return size_; }

 private:
  int size_ = 0;
};
struct WithConstants {
  Linear linear;
  Constant<std::map<std::string, int>> vocabulary;
  Constant<std::shared_ptr<Linear>> shared;
  Constant<Table> table;
  Constant<Linear> apart;
};

struct Virtual {
  virtual ~Virtual() = default;
};
struct Derived : Linear {};
struct Referring {
  Linear& other;
};
union Either {
  int a;
  float b;
};

template <class T>
constexpr bool is_tree = tenon::internal::tree::is_well_formed<tenon::internal::tree::Stored, T>();

static_assert(is_tree<Settings> && is_tree<WithConstants> && is_tree<forest::Model>);
static_assert(is_tree<decltype([](double x) { return x; })>);
static_assert(!is_tree<Table> &&
              tenon::internal::tree::fault_of<Table>() == "has a constructor or private data");
static_assert(!is_tree<std::list<Linear>> && !is_tree<std::optional<std::list<Linear>>>);
static_assert(tenon::internal::tree::fault_of<std::map<int, Linear>>() ==
              "is a map: use Constant<>");
static_assert(tenon::internal::tree::fault_of<std::set<int>>() == "is a set: use Constant<>");
static_assert(tenon::internal::tree::fault_of<std::variant<int, Linear>>() ==
              "is a variant: use Constant<>");
static_assert(tenon::internal::tree::fault_of<std::unique_ptr<int>>() ==
              "is a pointer: use Constant<>");
static_assert(tenon::internal::tree::fault_of<int*>() == "is a pointer: use Constant<>");
static_assert(tenon::internal::tree::fault_of<std::list<int>>() == "is a range: use std::vector");
static_assert(tenon::internal::tree::fault_of<int[3]>() == "is a C array: use std::array");
static_assert(tenon::internal::tree::fault_of<Either>() == "is a union: use Constant<>");
static_assert(tenon::internal::tree::fault_of<Virtual>() == "has a virtual function");
static_assert(tenon::internal::tree::fault_of<Derived>() == "has a base class: make it a field");
static_assert(tenon::internal::tree::fault_of<Referring>() == "cannot be default-constructed");
static_assert(tenon::internal::tree::fault_of<std::function<void()>>() ==
              "has a constructor or private data");

// Members that are not entered are not inspected: a checkpoint includes frozen members, a gradient
// does not.
static_assert(
    tenon::internal::tree::is_well_formed<tenon::internal::tree::Learned, Frozen<Table>>());
static_assert(
    !tenon::internal::tree::is_well_formed<tenon::internal::tree::Stored, Frozen<Table>>());

struct Deep {
  int number;
  std::vector<std::tuple<int, Derived>> rest;
};
static_assert(tenon::internal::tree::fault<tenon::internal::tree::Learned, Deep>.path.view() ==
              "rest.1");
static_assert(tenon::internal::tree::fault<tenon::internal::tree::Learned, Deep>.reason ==
              "has a base class: make it a field");

}  // namespace

TEST_CASE("a member without tensors is copied with its model") {
  auto const same = [](auto const& leaf) { return leaf; };
  CHECK(tenon::tree::paths(Settings()) ==
        std::vector<std::string>{"linear.weight", "linear.bias", "weight"});
  Settings settings;
  settings.name = "another";
  settings.activation = Activation::relu;
  Settings const copy = tenon::tree::map(same, settings);
  CHECK(copy.name == "another");
  CHECK(copy.activation == Activation::relu);
  CHECK(copy.patience == std::chrono::seconds(3));
}

TEST_CASE("constants have no leaves, and are copied") {
  WithConstants model{{1, 2}, {{{"a", 1}}}, {std::make_shared<Linear>()}, Table(5), Linear{3, 4}};
  CHECK(tenon::tree::paths<tenon::internal::tree::Stored>(model) ==
        std::vector<std::string>{"linear.weight", "linear.bias"});
  auto const zeros = tenon::tree::map<tenon::internal::tree::Stored>(
      [](Weight const&) { return Weight(0); }, model);
  CHECK(zeros.linear == Linear{0, 0});
  CHECK(*zeros.apart == Linear{3, 4});
  CHECK(zeros.vocabulary->at("a") == 1);
  CHECK(*zeros.shared == *model.shared);
  CHECK(zeros.table->size() == 5);
}

TEST_CASE("a constant can be called like its value") {
  Constant<std::function<int(int)>> const twice(
      std::function<int(int)>([](int x) { return 2 * x; }));
  CHECK(twice(4) == 8);
  CHECK(Constant<int>(3) == Constant<int>(3));
}

}  // namespace constant_test
