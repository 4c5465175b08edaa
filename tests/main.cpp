#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
// The precompiled header of the tests is built for this file and used by the others.

#include "bits/listener.hpp"
