// expect: error::element_has_no_batch<
// expect: Digit
// expect: "a struct: name the type of batches"
#include <vector>

#include <tenon/tenon.hpp>
#include <tenon/train/data.hpp>

struct Digit {
  tenon::Float32<"28 28"> image;
  int label;
};

void mistaken(std::vector<Digit> const& digits) { tenon::training::data_loader<"batch">(digits); }
