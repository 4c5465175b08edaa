#pragma once

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

/// What is compared, without templates.
namespace trees {

using Numbers = std::vector<double>;

/// The sizes of the axes, and how far rounding may move the value and the gradient of every
/// floating leaf, in units of the dtype's epsilon: by the generator's analysis of the tree.
struct Case {
  int sizes[3];
  double value_bound;
  std::vector<double> gradient_bounds;
};

struct Outcome {
  Numbers value;
  std::vector<Numbers> gradients;
};

/// The mistakes of one tree; its end is a failure with the source where there are any.
class Verdict {
 public:
  explicit Verdict(std::string_view source) : source_(source) {}
  Verdict(Verdict const&) = delete;
  ~Verdict();

  void compare(std::string_view which, Case const& of_case, double special, double unit,
               Outcome const& a, Outcome const& b);

  /// A difference that is NaN, because a kink is near, says nothing.
  void compare_derivatives(Case const& of_case, double derivative, double difference);

 private:
  void compare(std::string const& where, double bound, Numbers const& a, Numbers const& b);

  std::string_view source_;
  std::ostringstream mistakes_;
  int count_ = 0;
};

}  // namespace trees
