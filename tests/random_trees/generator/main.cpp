// Writes random trees as tests, several per file: generate FOLDER TREES TREES_PER_FILE
// The first trees do not depend on the number of trees.

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "source.hpp"

namespace {

using namespace trees;

void write_file(std::ostream& out, int file, int first, int last) {
  Draws draws(static_cast<std::uint64_t>(file) + 1);
  Family const family = family_of(draws, file);
  out << "#include <random_trees/check.hpp>\n\nusing namespace trees;\n\nnamespace {\n\n";
  write_leaves(out, family);
  out << "}  // namespace\n\n";
  for (int number = first; number < last; ++number)
    write_tree(out, family, tree_of(draws, family, 3 + draws.below(5)), number);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return EXIT_FAILURE;
  int const trees = std::atoi(arguments[2]), each = std::atoi(arguments[3]);
  for (int first = 0; first < trees; first += each) {
    int const file = first / each;
    std::ofstream out(std::string(arguments[1]) + "/trees_" + std::to_string(file) + ".cpp");
    write_file(out, file, first, std::min(first + each, trees));
    if (!out.flush()) {
      std::cerr << "tenon: cannot write into " << arguments[1] << "\n";
      return EXIT_FAILURE;
    }
  }
}
