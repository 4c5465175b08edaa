#include <tenon/op/more.hpp>

#include "accuracy_verdict.hpp"

using namespace accuracy;

namespace {

/// For ops that are correctly rounded, a sixteenth of the sample suffices.
template <class Op>
Worst worst_of_floats() {
  Worst worst;
  std::vector<float> const edges = borders<float>();
  look<Op>(worst, edges);
  look_in_every_lane<Op>(worst, edges);
  std::uint64_t const every = error_bound<Op, float>() == 0.5 ? 16 : 1;
  for (std::uint64_t first = 0; first < sampled_floats; first += every * block)
    look<Op>(worst, sample_of_floats(first));
  return worst;
}

}  // namespace

// (One float in 32768, see TENON_SAMPLE_STEP.)

TEST_CASE(
    "for a sample of all floats and special arguments each op is within JAX's error bounds, in "
    "every lane") {
  std::string table;
  using Ops = tenon::op::Joined<tenon::op::Unary, tenon::op::MoreUnary>;
  tenon::op::for_each(Ops{}, [&]<class Op>() {
    Worst const worst = worst_of_floats<Op>();
    table += line<Op, float>(worst);
    expect_within_bounds<Op, float>(worst);
  });
  MESSAGE("worst of float, in units in the last place:" << table);
}
