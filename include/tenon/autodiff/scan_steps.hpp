#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <tenon/autodiff/grad.hpp>
#include <tenon/autodiff/sequence.hpp>
#include <tenon/eval/custom.hpp>

/// A scan: its loop, and its backward.
namespace tenon::internal::sequence {

/// Whether a step returns the next carry alone, or a pair of it and an output.
template <class R, class Carry>
concept ReturnsCarry = std::convertible_to<R const&, Carry>;
template <class R, class Carry>
concept ReturnsOutput = !ReturnsCarry<R, Carry> && tree::is_tuple<R> && requires(R const& r) {
  { std::get<0>(r) } -> std::convertible_to<Carry>;
  requires std::tuple_size_v<R> == 2;
};

template <class Carry, class R>
Carry carry_of(R const& r) {
  if constexpr (ReturnsCarry<R, Carry>) return r;
  else return std::get<0>(r);
}
/// The output of a step; an empty tuple where it returns none.
template <class Carry, class R>
auto output_of(R const& r) {
  if constexpr (ReturnsCarry<R, Carry>) return std::tuple<>();
  else return std::get<1>(r);
}

/// The tensors of an output that may have expressions.
template <class Y>
auto values_of(Y const& y) {
  return map_parts([](auto const& part) { return eval(part); }, y);
}

/// Memory for the adjoint of a sequence.
template <class X>
X room_like(X const& x) {
  return map_parts(
      []<class Part>(Part const& part) {
        if constexpr (Expression<Part>) return Part::uninitialised(part.sizes());
        else return part;
      },
      x);
}

/// Whether `tape` records any parameter leaf of a tree.
template <class Tree>
bool is_any_wanted(Tree const& tree, Tape const& tape) {
  bool found = false;
  tree::for_each([&](auto const& leaf) { found = found || tape.is_wanted(leaf.mark()); }, tree);
  return found;
}

/// The leaves of a tree that `outer` records, as leaves of `tape`; others are constants.
template <class Tree>
Tree tracked_again(Tree tree, Tape const& outer, Tape& tape) {
  tree::for_each(
      [&](auto& leaf) {
        leaf.set_mark(outer.is_wanted(leaf.mark()) ? tape.new_slot() : TapeMark{});
      },
      tree);
  return tree;
}

/// The adjoints of the leaves of a tree, which leave a tape as they are: those of 16-bit dtypes are
/// not rounded.
template <class Tree>
std::vector<SharedBuffer> take_adjoints(Tree const& tree, Tape& tape) {
  std::vector<SharedBuffer> adjoints;
  tree::for_each(
      [&]<class Leaf>(Leaf const& leaf) {
        auto const bytes =
            static_cast<std::size_t>(leaf.size()) * sizeof(Computed<typename Leaf::value_type>);
        bool const has = tape.has_gradient(leaf.mark());
        adjoints.push_back(has ? tape.take_gradient(leaf.mark(), bytes) : SharedBuffer());
      },
      tree);
  return adjoints;
}
/// Sets the adjoints of leaves that have none.
template <class Tree>
void give_adjoints(Tree const& tree, Tape& tape, std::vector<SharedBuffer>& adjoints) {
  std::size_t next = 0;
  tree::for_each(
      [&](auto const& leaf) {
        SharedBuffer const adjoint = std::move(adjoints[next++]);
        if (adjoint) (void)tape.share_gradient(leaf.mark(), adjoint);
      },
      tree);
}

/// A scan with its arguments.
template <Axes axes, class F, class Carry, class X, class... P>
struct Scan {
  using Step = decltype(at_step<axes>(std::declval<X const&>(), 0));
  using Result = CallResult<F const&, Carry const&, Step const&, P const&...>;
  using Output = decltype(output_of<Carry>(std::declval<Result const&>()));
  using Outputs = decltype(room_for<axes, X>(std::declval<Output const&>(), 0));
  using Parameters = std::tuple<P...>;

  F f;
  Carry start;
  X xs;
  Parameters parameters;

  Result call(Carry const& carry, Step const& x, Parameters const& with) const {
    return std::apply([&](P const&... p) -> Result { return f(carry, x, p...); }, with);
  }

  /// The last carry, and the outputs of all steps; `visit` gets the carry before each of them.
  template <class Visit>
  std::pair<Carry, Outputs> run(Visit const& visit) const {
    std::int64_t const steps = steps_of<axes>(xs);
    std::optional<Outputs> outputs;
    Carry carry = start;
    for (std::int64_t step = 0; step < steps; ++step) {
      visit(carry);
      Result const result = call(carry, at_step<axes>(xs, step), parameters);
      Output const output = output_of<Carry>(result);
      if (!outputs) outputs.emplace(room_for<axes, X>(output, steps));
      set_step<Axes(0)>(*outputs, step, output);
      carry = carry_of<Carry>(result);
    }
    return {std::move(carry), outputs ? std::move(*outputs) : no_outputs()};
  }

  /// The same by functions that a trace or a graph of derivatives records.
  std::pair<Carry, Outputs> run_by_functions() const {
    std::int64_t const steps = steps_of<axes>(xs);
    Carry carry = start;
    if (steps <= 0) return {std::move(carry), no_outputs()};
    auto const step = [&](std::int64_t i) {
      Result const result = call(carry, at_step<axes>(xs, i), parameters);
      carry = carry_of<Carry>(result);
      return one_step(output_of<Carry>(result));
    };
    Outputs outputs = all_steps<axes, X>(join_range(step, 0, steps));
    return {std::move(carry), std::move(outputs)};
  }

 private:
  /// A step on zeros has the sizes of the outputs.
  Outputs no_outputs() const {
    Unrecorded const unrecorded;
    Result const result =
        call(unmarked_leaves(start), step_of_zeros<axes>(xs), unmarked_leaves(parameters));
    return room_for<axes, X>(output_of<Carry>(result), 0);
  }
};

/// The tape entry of a scan. It stores the carry before each step; its backward computes the rest
/// of a step again.
template <Axes axes, class Own, class Carry, class Outputs>
struct ScanStep {
  Own scan;
  Carry last;
  Outputs outputs;
  std::vector<Carry> carries;

  void operator()(Tape& tape, std::byte const*) const {
    if (!has_adjoint(last, tape) && !has_adjoint(outputs, tape)) return;
    Adjoints adjoints{gradients_of(last, tape), gradients_of(outputs, tape), room_like(scan.xs),
                      take_adjoints(scan.parameters, tape)};
    for (std::size_t step = carries.size(); step-- > 0;)
      backward(static_cast<std::int64_t>(step), adjoints, tape);
    seed_leaves(scan.start, adjoints.carry, tape);
    seed_leaves(scan.xs, adjoints.xs, tape);
    give_adjoints(scan.parameters, tape, adjoints.parameters);
  }

 private:
  using Xs = decltype(Own::xs);
  struct Adjoints {
    Carry carry;
    Outputs outputs;
    Xs xs;
    std::vector<SharedBuffer> parameters;
  };

  /// The adjoints before a step, from those after it.
  void backward(std::int64_t step, Adjoints& adjoints, Tape const& outer) const {
    Tape tape;
    Carry const carry = tracked(carries[static_cast<std::size_t>(step)], tape);
    auto const x = x_at(step, outer, tape);
    auto const parameters = tracked_again(scan.parameters, outer, tape);
    give_adjoints(parameters, tape, adjoints.parameters);
    seed(scan.call(carry, x, parameters), step, adjoints, tape);
    tape.backward();
    adjoints.carry = gradients_of(carry, tape);
    if (is_any_wanted(scan.xs, outer)) set_step<axes>(adjoints.xs, step, gradients_of(x, tape));
    adjoints.parameters = take_adjoints(parameters, tape);
  }

  auto x_at(std::int64_t step, Tape const& outer, Tape& tape) const {
    auto const x = at_step<axes>(unmarked_leaves(scan.xs), step);
    return is_any_wanted(scan.xs, outer) ? tracked(x, tape) : x;
  }

  template <class Result>
  static void seed(Result const& result, std::int64_t step, Adjoints const& adjoints, Tape& tape) {
    seed_leaves(carry_of<Carry>(result), adjoints.carry, tape);
    auto const output = values_of(output_of<Carry>(result));
    auto const adjoint =
        map_parts([]<class Part>(Part const&,
                                 auto const& part) { return reshaped<Part>(part, part.sizes()); },
                  output, at_step<Axes(0)>(adjoints.outputs, step));
    seed_leaves(output, adjoint, tape);
  }
};

/// A scan without the marks of its arguments.
template <class Own>
Own unmarked_scan(Own const& scan) {
  return {scan.f, unmarked_leaves(scan.start), unmarked_leaves(scan.xs),
          unmarked_leaves(scan.parameters)};
}

/// The same number of steps on the tape of this thread.
template <Axes axes, class Own, class Carry = decltype(Own::start)>
auto record_scan(Own const& scan) {
  std::vector<Carry> carries;
  auto [last, outputs] = [&] {
    Unrecorded const unrecorded;
    return unmarked_scan(scan).run([&](Carry const& carry) { carries.push_back(carry); });
  }();
  Tape& tape = *Tape::current();
  auto const mark = [&](auto& leaf) { leaf.set_mark(tape.new_slot()); };
  tree::for_each(mark, last);
  tree::for_each(mark, outputs);
  tape.record_joint(
      ScanStep<axes, Own, Carry, typename Own::Outputs>{scan, last, outputs, std::move(carries)});
  return std::pair(std::move(last), std::move(outputs));
}

template <Axes axes, class Own>
auto run_scan(Own const& scan) {
  if (graph::is_open() || tracing::is_on()) return scan.run_by_functions();
  if (any_recorded(scan.start, scan.xs, scan.parameters)) return record_scan<axes>(scan);
  Unrecorded const unrecorded;
  return unmarked_scan(scan).run([](auto const&) {});
}

}  // namespace tenon::internal::sequence
