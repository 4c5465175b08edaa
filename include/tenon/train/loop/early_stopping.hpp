#pragma once

#include <cstdint>
#include <limits>

namespace tenon::training {

/// What early stopping remembers between epochs: a plain struct, which a checkpoint saves.
struct EarlyStoppingState {
  double best = std::numeric_limits<double>::infinity();
  std::int64_t epochs_since = 0;
};

/// Ends training when the loss has not decreased by more than `min_delta` for `patience` epochs. A
/// NaN is no decrease. (A quantity that increases, such as an accuracy, is given with the other
/// sign.) Keras: `EarlyStopping`.
struct EarlyStopping {
  std::int64_t patience = 10;
  double min_delta = 0;

  /// Notes the loss of an epoch; true if it is the best so far.
  bool update(EarlyStoppingState& state, double loss) const {
    bool const is_best = loss < state.best - min_delta;
    state.epochs_since = is_best ? 0 : state.epochs_since + 1;
    if (is_best) state.best = loss;
    return is_best;
  }

  bool should_stop(EarlyStoppingState const& state) const { return state.epochs_since >= patience; }
};

}  // namespace tenon::training
