#pragma once

/// Everything for networks: layers, activations, losses.
#include <tenon/losses/cross_entropy.hpp>
#include <tenon/losses/distance.hpp>
#include <tenon/losses/likelihood.hpp>
#include <tenon/losses/margin.hpp>
#include <tenon/losses/regression.hpp>
#include <tenon/nn/activations.hpp>
#include <tenon/nn/gated_activations.hpp>
#include <tenon/nn/nn.hpp>
