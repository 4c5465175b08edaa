#pragma once

#include <tenon/backend/codegen/emit/kernel.hpp>

namespace tenon::internal::codegen {

/// The kernels that reduce the rows of an expression in chunks, the deepest first: the kernel of
/// the expression combines their partial results.
class ChunkKernels {
 public:
  ChunkKernels(Functions& functions, Cut const& cut, std::string name)
      : functions_(&functions), cut_(cut), name_(std::move(name)), walk_(functions) {}

  Cut const& cut() const { return cut_; }

  std::vector<Kernel> kernels{};
  Reduced reduced{};

  void add(Node e);

 private:
  void add_reduction(Node reduction);
  Kernel kernel_of(Node reduction, ReducedParts own);

  Functions* functions_;
  Cut cut_;
  std::string name_;
  Walk walk_;  ///< Identifies equal reductions.
  std::map<Identity, std::size_t> known_;
};

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/codegen/kernels/chunked_reductions.ipp>
#endif
