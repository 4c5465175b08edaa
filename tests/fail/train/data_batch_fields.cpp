// expect: error::batch_does_not_fit_element<
// expect: "has another number of fields"
#include <vector>

#include <tenon/tenon.hpp>
#include <tenon/train/data.hpp>

struct Digit {
  tenon::Float32<"28 28"> image;
  int label;
};

struct Batch {
  tenon::Float32<"batch 28 28"> image;
};

void mistaken(std::vector<Digit> const& digits) {
  tenon::training::data_loader<"batch", Batch>(digits);
}
