#pragma once

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

/// The comparisons, without templates.
namespace trees {

using Numbers = std::vector<double>;

/// The sizes of the axes, and bounds of the rounding errors of the value and of the gradient of
/// every floating leaf, in units of the dtype's epsilon: computed by the generator.
struct Case {
  int sizes[3];
  double value_bound;
  std::vector<double> gradient_bounds;
};

struct Outcome {
  Numbers value;
  std::vector<Numbers> gradients;
};

/// The failures of one tree; its destructor reports them with the source of the tree.
class Verdict {
 public:
  explicit Verdict(std::string_view source) : source_(source) {}
  Verdict(Verdict const&) = delete;
  ~Verdict();

  void compare(std::string_view which, Case const& of_case, double special, double unit,
               Outcome const& a, Outcome const& b);

  /// A NaN difference, which indicates a kink, is ignored.
  void compare_derivatives(Case const& of_case, double derivative, double difference);

 private:
  void compare(std::string const& where, double bound, Numbers const& a, Numbers const& b);

  std::string_view source_;
  std::ostringstream mistakes_;
  int count_ = 0;
};

}  // namespace trees
