// expect: error::field_is_no_column<
// expect: "pixels"
// expect: "is no number, text, bool or enum"
#include <vector>

#include <tenon/train/data/csv.hpp>

struct Row {
  int label = 0;
  std::vector<float> pixels{};
};

void mistaken() { tenon::csv::load<Row>("rows.csv"); }
