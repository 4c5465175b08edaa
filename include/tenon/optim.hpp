#pragma once

// All optimisers, `minimize`, schedules and averages of weights. tenon.hpp has those of
// optim/optim.hpp alone.

#include <tenon/optim/adam.hpp>
#include <tenon/optim/average.hpp>
#include <tenon/optim/groups.hpp>
#include <tenon/optim/lamb.hpp>
#include <tenon/optim/lbfgs.hpp>
#include <tenon/optim/lion.hpp>
#include <tenon/optim/minimize.hpp>
#include <tenon/optim/muon.hpp>
#include <tenon/optim/optim.hpp>
#include <tenon/optim/rmsprop.hpp>
#include <tenon/optim/schedules.hpp>
