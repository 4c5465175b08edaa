// expect: error::field_of_batch_is_none_of_element<
// expect: "images"
// expect: "image"
#include <vector>

#include <tenon/tenon.hpp>
#include <tenon/train/data.hpp>

struct Digit {
  tenon::Float32<"28 28"> image;
  int label;
};

struct Batch {
  tenon::Float32<"batch 28 28"> images;
  tenon::Int32<"batch"> label;
};

void mistaken(std::vector<Digit> const& digits) {
  tenon::training::data_loader<"batch", Batch>(digits);
}
