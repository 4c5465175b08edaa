// Other libraries' headers and templates: what a compiler takes for them says how fast it, and the
// machine, is.

#include <Eigen/Dense>

#include <regex>
#include <string>

Eigen::MatrixXf solved(Eigen::MatrixXf const& a, Eigen::MatrixXf const& b) {
  return a.partialPivLu().solve(b);
}

bool matches(std::string const& text, std::string const& pattern) {
  return std::regex_search(text, std::regex(pattern));
}
