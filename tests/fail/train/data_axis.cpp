// expect: error::element_has_no_batch<
// expect: "the axis of a batch is one name"
#include <vector>

#include <tenon/tenon.hpp>
#include <tenon/train/data.hpp>

void mistaken(std::vector<float> const& numbers) {
  tenon::training::data_loader<"batch 3">(numbers);
}
