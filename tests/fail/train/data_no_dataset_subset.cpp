// expect: error::is_no_dataset<
// expect: "subset"
// expect: "image 28 28"
#include <tenon/tenon.hpp>
#include <tenon/train/data.hpp>

void mistaken(tenon::UInt8<"image 28 28"> const& images) {
  tenon::training::subset(images, {0, 1});
}
