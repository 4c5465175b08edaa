// expect: error::field_is_no_column<
// expect: "grade"
// expect: "is a character: use std::string"
#include <tenon/train/data/csv.hpp>

struct Row {
  char grade = 'a';
};

void mistaken() { tenon::csv::load<Row>("rows.csv"); }
