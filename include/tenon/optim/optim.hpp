#pragma once

// Optimisers as pure functions over trees.

#include <tenon/optim/adamw.hpp>
#include <tenon/optim/clip.hpp>
#include <tenon/optim/instances.hpp>
#include <tenon/optim/master_weights.hpp>
#include <tenon/optim/schedule.hpp>
#include <tenon/optim/sgd.hpp>
