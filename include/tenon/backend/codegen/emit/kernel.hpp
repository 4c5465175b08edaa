#pragma once

#include <tenon/backend/codegen/emit/leaf_adjoint.hpp>
#include <tenon/backend/codegen/emit/tiled_rows.hpp>
#include <tenon/backend/codegen/launch/launch.hpp>

namespace tenon::internal::codegen {

/// The kind of a kernel argument.
struct Argument {
  enum class Is {
    result,        ///< Output, all of it.
    product,       ///< Output: the matmul fused into the kernel.
    adjoint,       ///< The adjoint of the result, row-major; input.
    leaf_adjoint,  ///< `adjoints[at]`; accumulated.
    reduced,  ///< `reductions[at]`: partial results of chunks of rows; written by the first, else
              ///< read.
    parts,    ///< The partial sums of `adjoints[at]`, contiguous; accumulated, initially zero.
    summed_parts,  ///< The same as input of the kernel that adds them.
    memory,        ///< `memories[at]`; input.
    number,        ///< `numbers[at]`.
    scalar         ///< `scalars[at]`.
  };
  Is is;
  std::size_t at = 0;
};

/// Partial results of chunks of rows, for later kernels.
struct ReducedParts : Reduced::Parts {
  std::size_t place;  ///< Index among those of an expression.
  std::string name;
  bool is_written = false;  ///< Otherwise it is read.
};

/// A kernel as text, with its arguments: the result, the input memories, and the run-time sizes and
/// numbers, in this order. In a backward kernel `type`, `elements` and `element_bytes` are those of
/// the adjoint that it propagates.
struct Kernel {
  std::string name;
  std::string text;
  std::string_view type;  ///< Of the result's elements.
  std::int64_t elements;
  std::int64_t element_bytes;
  std::vector<Memory> memories{};
  std::vector<Variables::Argument> numbers{};
  std::vector<Scalars::Argument> scalars{};
  std::vector<LeafAdjoint> adjoints{};  ///< The targets of a backward kernel.
  std::vector<ReducedParts> reductions{};
  std::vector<Argument> arguments{};  ///< All, in order.
  Work work{};
  void const* product = nullptr;    ///< The memory of the fused matmul, if it is required,
  std::string_view product_type{};  ///< and the type of its elements.
  int with_backward = -1;           ///< The kernel of a plan whose result's adjoint it reads.
};

/// The targets of a backward kernel, as comments.
std::string adjoint_comments(Kernel const& kernel, std::string const& type);

/// Emits the loops of an expression; the last `row_axes` axes are iterated within a row.
void print_rows(Walk& walk, Node e, int row_axes);

/// Binds `own_product` of an expression: recomputed, or the result of an earlier kernel.
void reads_product(Walk& walk, Node product);

/// A kernel with its text, which begins with a comment; `first` are its first arguments.
Kernel with_text(Kernel kernel, Walk& walk, std::string const& comment,
                 std::vector<Argument> first);

/// A kernel without its text.
Kernel kernel_without_text(Node e, std::string name);

/// Completes the kernel of a codegen context.
Kernel finished(Walk& walk, Node e, std::string name);

/// The kernel of a materialized expression.
Kernel printed(Functions& functions, std::string name, Node e);

/// The kernel of a materialized expression whose `own_product` is recomputed, or the result of an
/// earlier kernel.
Kernel printed(Functions& functions, std::string name, Node product, Node e);

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/codegen/emit/kernel.ipp>
#endif
