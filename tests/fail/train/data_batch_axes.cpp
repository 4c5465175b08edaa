// expect: error::batch_does_not_fit_element<
// expect: "image"
// expect: "batch 14 14"
// expect: "28 28"
// expect: "has another dtype, or other axes"
#include <vector>

#include <tenon/tenon.hpp>
#include <tenon/train/data.hpp>

struct Digit {
  tenon::Float32<"28 28"> image;
  int label;
};

struct Batch {
  tenon::Float32<"batch 14 14"> image;
  tenon::Int32<"batch"> label;
};

void mistaken(std::vector<Digit> const& digits) {
  tenon::training::data_loader<"batch", Batch>(digits);
}
