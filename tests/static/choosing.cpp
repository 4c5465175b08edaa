#include "rules.hpp"

using namespace tenon::internal;

using namespace rules;

// Axes by name.
static_assert(reductions("batch digit=10", "digit", false, "batch"));
static_assert(reductions("batch digit=10", "digit", true, "batch digit=1"));
static_assert(reductions("batch height width", "height width", false, "batch"));
static_assert(reductions("batch height width", "width height", true, "batch height=1 width=1"));
static_assert(reductions("batch height width", "  batch ", false, "height width"));
static_assert(reductions("batch digit", "", false, ""));
static_assert(reductions("batch 3", "", true, "batch=1 1"));
static_assert(reductions("", "", false, ""));
static_assert(reductions("n n+1", "n", false, "n+1"));
static_assert(reductions("n=2..8 m", "n", true, "n=1 m"));
static_assert(choose_axes(shape("a b c"), "c a").count == 2);
static_assert(choose_axes(shape("a b c"), "c a")[0] && !choose_axes(shape("a b c"), "c a")[1]);
static_assert(choose_axes(shape("a b c"), "c").axis() == 2);
static_assert(cannot_choose("batch digit", "didgit", AxisSearch::not_found, "didgit"));
static_assert(cannot_choose("batch digit", "digit x", AxisSearch::not_found, "x"));
static_assert(cannot_choose("batch 3", "3", AxisSearch::not_found, "3"));
static_assert(cannot_choose("", "n", AxisSearch::not_found, "n"));
static_assert(cannot_choose("n n", "n", AxisSearch::ambiguous, "n"));
static_assert(cannot_choose("a b", "a a", AxisSearch::ambiguous, "a"));

// Axes by index; -1 is the last.
static_assert(choose_axis(shape("a b c"), 0)[0] && choose_axis(shape("a b c"), 0).count == 1);
static_assert(choose_axis(shape("a b c"), -1)[2]);
static_assert(choose_axis(shape("a b c"), -3)[0]);
static_assert(choose_axis(shape("a b c"), 3).result == AxisSearch::out_of_range);
static_assert(choose_axis(shape("a b c"), -4).culprit.view() == "-4");
static_assert(choose_axis(shape(""), 0).result == AxisSearch::out_of_range);
static_assert(reduced(shape("n n"), choose_axis(shape("n n"), -1), true) == "n n=1");
static_assert(reduced(shape("a 3 _"), choose_axis(shape("a 3 _"), 1), false) == "a _");
