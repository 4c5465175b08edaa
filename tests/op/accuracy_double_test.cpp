#include <tenon/op/more.hpp>

#include "accuracy_verdict.hpp"

using namespace accuracy;

TEST_CASE(
    "for many doubles and special arguments each op is within JAX's error bounds, in every lane") {
  std::string table;
  std::vector<double> const edges = borders<double>(), sample = sample_of_doubles();
  using Ops = tenon::op::Joined<tenon::op::Unary, tenon::op::MoreUnary>;
  tenon::op::for_each(Ops{}, [&]<class Op>() {
    Worst worst;
    look<Op>(worst, edges);
    look_in_every_lane<Op>(worst, edges);
    look<Op>(worst, sample);
    table += line<Op, double>(worst);
    expect_within_bounds<Op, double>(worst);
  });
  MESSAGE("worst of double, in units in the last place:" << table);
}
