// expect: error::is_no_dataset<
// expect: "split_dataset"
// expect: int
#include <tenon/tenon.hpp>
#include <tenon/train/data.hpp>

void mistaken(int images) { tenon::training::split_dataset(images, 0.5, tenon::Key{1}); }
