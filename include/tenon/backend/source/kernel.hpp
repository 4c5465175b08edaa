#pragma once

#include <tenon/backend/source/launch.hpp>
#include <tenon/backend/source/leaf_adjoint.hpp>
#include <tenon/backend/source/rows.hpp>

namespace tenon::source {

/// What a kernel is called with at one place.
struct Argument {
  enum class Is {
    result,        ///< Written, all of it.
    product,       ///< Written: a product, whose kernel goes on to compute the result.
    adjoint,       ///< The adjoint of the result, row-major; read.
    leaf_adjoint,  ///< `adjoints[at]`; added to.
    folded,  ///< `folds[at]`: what is left of pieces of rows; written by the first, else read.
    parts,   ///< The parts of `adjoints[at]`, one after the other; added to, zeros first.
    summed_parts,  ///< The same where they are added up; read.
    memory,        ///< `memories[at]`; read.
    number,        ///< `numbers[at]`.
    scalar         ///< `scalars[at]`.
  };
  Is is;
  std::size_t at = 0;
};

/// What kernels have left of pieces of rows, for those that follow.
struct FoldedParts : Folded::Parts {
  std::size_t place;  ///< Among those of a recipe.
  std::string name;
  bool is_written = false;  ///< Else it is read.
};

/// A kernel as a text, and what it is called with: the result, the memory it reads, and the
/// run-time sizes and numbers, in this order. Of a backward kernel `type`, `elements` and
/// `element_bytes` are those of the adjoint that it passes back.
struct Kernel {
  std::string name;
  std::string text;
  std::string_view type;  ///< Of the result's elements.
  std::int64_t elements;
  std::int64_t element_bytes;
  std::vector<Memory> memories{};
  std::vector<Variables::Argument> numbers{};
  std::vector<Scalars::Argument> scalars{};
  std::vector<LeafAdjoint> adjoints{};  ///< What a backward kernel adds to.
  std::vector<FoldedParts> folds{};
  std::vector<Argument> arguments{};  ///< All, in order.
  Work work{};
  void const* product = nullptr;    ///< Where the product is wanted as well,
  std::string_view product_type{};  ///< and the type of its elements.
  int pulls = -1;                   ///< The kernel of a plan whose result's adjoint it reads.
};

/// What a backward kernel adds to, as comments.
std::string adjoint_comments(Kernel const& kernel, std::string const& type);

/// Prints the loops of a recipe, of which the last axes are walked within a row.
void print_rows(Walk& walk, Node e, int row_axes);

/// A recipe reads this as its `own_product`: computed anew, or where an earlier kernel has put it.
void reads_product(Walk& walk, Node product);

/// A kernel with its text, which begins with a comment; `first` are its first arguments.
Kernel with_text(Kernel kernel, Walk& walk, std::string const& comment,
                 std::vector<Argument> first);

/// A kernel without its text.
Kernel kernel_without_text(Node e, std::string name);

/// A kernel whose walk is over.
Kernel finished(Walk& walk, Node e, std::string name);

/// The kernel of a settled recipe.
Kernel printed(Functions& functions, std::string name, Node e);

/// The kernel of a settled recipe that reads as `own_product` what is computed anew, or by an
/// earlier kernel.
Kernel printed(Functions& functions, std::string name, Node product, Node e);

}  // namespace tenon::source

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/source/kernel.ipp>
#endif
