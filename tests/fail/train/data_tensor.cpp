// expect: error::element_has_no_batch<
// expect: "is a tensor: use tensor_dataset"
#include <tenon/tenon.hpp>
#include <tenon/train/data.hpp>

void mistaken(tenon::UInt8<"image 28 28"> const& images) {
  tenon::training::data_loader<"batch">(images);
}
