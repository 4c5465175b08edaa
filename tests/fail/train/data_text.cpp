// expect: error::element_has_no_batch<
// expect: string
// expect: "is neither a number nor a tensor"
#include <string>
#include <utility>
#include <vector>

#include <tenon/tenon.hpp>
#include <tenon/train/data.hpp>

void mistaken(std::vector<std::pair<int, std::string>> const& rows) {
  tenon::training::data_loader<"batch">(rows);
}
