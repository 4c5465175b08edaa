// expect: error::is_no_dataset<
// expect: "map_dataset"
// expect: "image 28 28"
#include <tenon/tenon.hpp>
#include <tenon/train/data.hpp>

void mistaken(tenon::UInt8<"image 28 28"> const& images) {
  tenon::training::map_dataset(images, [](auto x) { return x; });
}
