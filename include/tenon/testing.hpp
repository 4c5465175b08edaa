#pragma once

// Checks for tests of programs that use Tenon, with doctest, Catch2 or GoogleTest, whose header is
// included before this one.

#include <tenon/testing/close.hpp>
#include <tenon/testing/finite.hpp>
#include <tenon/testing/gradient.hpp>
#include <tenon/testing/shape.hpp>
