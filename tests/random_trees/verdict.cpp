#include "verdict.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <sstream>

namespace trees {

namespace {

bool agree(double a, double b, double bound) {
  if (std::isfinite(a) && std::isfinite(b)) return std::fabs(a - b) <= bound;
  return (std::isnan(a) && std::isnan(b)) || a == b;
}

std::string named(std::string_view which, Case const& of_case, double special) {
  std::ostringstream text;
  text << which << ", sizes " << of_case.sizes[0] << " " << of_case.sizes[1] << " "
       << of_case.sizes[2];
  if (special != 0) text << ", with " << special;
  return text.str();
}

}  // namespace

void Verdict::compare(std::string const& where, double bound, Numbers const& a, Numbers const& b) {
  if (a.size() != b.size()) {
    ++count_;
    mistakes_ << "\n  " << where << ": " << a.size() << " and " << b.size() << " elements";
  }
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (agree(a[i], b[i], bound) || ++count_ > 4) continue;
    mistakes_ << "\n  " << where << ", at " << i << ": " << a[i] << " and " << b[i]
              << " are further apart than " << bound;
  }
}

void Verdict::compare(std::string_view which, Case const& of_case, double special, double unit,
                      Outcome const& a, Outcome const& b) {
  mistakes_.precision(17);
  std::string const where = named(which, of_case, special);
  compare(where + ", value", 2 * unit * of_case.value_bound, a.value, b.value);
  if (special != 0) return;
  for (std::size_t i = 0; i < a.gradients.size(); ++i)
    compare(where + ", gradient of leaf " + std::to_string(i),
            2 * unit * of_case.gradient_bounds[i], a.gradients[i], b.gradients[i]);
}

void Verdict::compare_derivatives(Case const& of_case, double derivative, double difference) {
  if (std::isnan(difference)) return;
  double const bound = 1e-3 * std::fmax(1, std::fabs(difference));
  compare(named("gradients and differences", of_case, 0), bound, {derivative}, {difference});
}

Verdict::~Verdict() {
  std::string const mistakes = mistakes_.str();
  INFO("the tree:" << source_);
  CHECK(mistakes == "");
}

}  // namespace trees
