#pragma once

#include <tenon/backend/codegen/emit/lanes.hpp>

namespace tenon::internal::codegen {

/// The position of the extreme (argmax, argmin) in a running reduction; -1 if there is none.
/// (Evaluation rejects an empty axis.)
class Position {
 public:
  Position(Walk& walk, ReductionOp const& op, int block);
  int name() const { return position_; }

  /// Compares with the next element.
  void add(Value const& x, std::string place, int block);

  /// Combines the work items of the group: the best of all, the first among equals.
  void together();

 private:
  Value own() const { return Value(walk_->listing, best_); }
  std::string better(Value const& x, Value const& than, int block);
  void take(std::string const& where, std::string const& x, std::string const& place, int block);
  void merge(std::string const& other, std::string const& place, int block);

  Walk* walk_;
  ReductionOp const* op_;
  int block_, best_, position_;
};

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/codegen/emit/positions.ipp>
#endif
