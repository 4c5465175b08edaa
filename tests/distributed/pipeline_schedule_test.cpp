// Schedules of pipelines, executed by a simulation without ranks.

#include <tenon/distributed/pipeline/schedule.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace pipeline_schedule_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

/// The time of all stages: a forward takes 1, a backward 2, sending 0. Sends do not block.
struct Simulation {
  using Actions = std::vector<Action>;

  explicit Simulation(std::vector<Actions> all) : actions(std::move(all)) {
    auto const stages = actions.size();
    next.resize(stages), live.resize(stages), peak.resize(stages), clock.resize(stages);
    streams.resize(stages + 1), adjoints.resize(stages + 1);
  }

  /// Runs until no stage can continue; true if all actions are done.
  bool run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t s = 0; s < actions.size(); ++s)
        while (next[s] < actions[s].size() && step(s, actions[s][next[s]])) ++next[s], moved = true;
    }
    for (std::size_t s = 0; s < actions.size(); ++s)
      if (next[s] != actions[s].size()) return false;
    return true;
  }

  /// Messages in transit: what was sent at which time, in order, and how many were received.
  struct Letters {
    std::vector<std::pair<int, int>> sent;  // micro-batch, time
    std::size_t received = 0;

    bool receive(int micro_batch, int& now) {
      if (received == sent.size()) return false;
      auto const [got, time] = sent[received++];
      CHECK(got == micro_batch);
      now = std::max(now, time);
      return true;
    }
  };

  bool step(std::size_t s, Action const& action) {
    int const i = action.micro_batch;
    switch (action.act) {
      case Act::receive_stream:
        return streams[s].receive(i, clock[s]);
      case Act::receive_adjoint:
        return adjoints[s].receive(i, clock[s]);
      case Act::send_stream:
        streams[s + 1].sent.emplace_back(i, clock[s]);
        break;
      case Act::send_adjoint:
        adjoints[s - 1].sent.emplace_back(i, clock[s]);
        break;
      case Act::forward:
        peak[s] = std::max(peak[s], ++live[s]), clock[s] += 1;
        break;
      case Act::backward:
        --live[s], clock[s] += 2;
        break;
    }
    return true;
  }

  std::vector<Actions> actions;
  std::vector<std::size_t> next;
  std::vector<int> live, peak, clock;
  std::vector<Letters> streams, adjoints;
};

std::vector<std::vector<Action>> all_actions(Schedule const& schedule, int stages, int batches) {
  std::vector<std::vector<Action>> all;
  for (int s = 0; s < stages; ++s) all.push_back(actions_of(schedule, stages, s, batches));
  return all;
}

template <class F>
void for_all_pipelines(F const& f) {
  for (auto const& schedule : {gpipe, one_forward_one_backward})
    for (int stages = 1; stages <= 8; ++stages)
      for (int batches = 1; batches <= 16; ++batches) {
        CAPTURE(std::string(schedule.name));
        CAPTURE(stages);
        CAPTURE(batches);
        f(schedule, stages, batches);
      }
}

constexpr bool is_1f1b_of_the_paper() {
  using enum Act;
  return actions_of(one_forward_one_backward, 2, 0, 3) ==
         std::vector<Action>{{forward, 0},     {send_stream, 0},     {forward, 1},
                             {send_stream, 1}, {receive_adjoint, 0}, {backward, 0},
                             {forward, 2},     {send_stream, 2},     {receive_adjoint, 1},
                             {backward, 1},    {receive_adjoint, 2}, {backward, 2}};
}
static_assert(is_1f1b_of_the_paper());
static_assert(layers_of_stage(7, 3, 0) == LayerRange{0, 3});
static_assert(layers_of_stage(7, 3, 2) == LayerRange{5, 7});
static_assert(layers_of_stage(2, 4, 3).size() == 0);

}  // namespace

TEST_CASE("no schedule deadlocks") {
  for_all_pipelines([](Schedule const& schedule, int stages, int batches) {
    Simulation simulation(all_actions(schedule, stages, batches));
    CHECK(simulation.run());
    for (auto const& letters : {simulation.streams, simulation.adjoints})
      for (auto const& one : letters) CHECK(one.received == one.sent.size());
  });
}

TEST_CASE("each stage runs each micro-batch forward and backward once, in order") {
  for_all_pipelines([](Schedule const& schedule, int stages, int batches) {
    for (auto const& actions : all_actions(schedule, stages, batches)) {
      for (Act const act : {Act::forward, Act::backward}) {
        int next = 0;
        for (auto const& action : actions)
          if (action.act == act) CHECK(action.micro_batch == next++);
        CHECK(next == batches);
      }
    }
  });
}

TEST_CASE("GPipe keeps all micro-batches, 1F1B as many as there are stages from this one on") {
  for_all_pipelines([](Schedule const& schedule, int stages, int batches) {
    Simulation simulation(all_actions(schedule, stages, batches));
    simulation.run();
    bool const keeps_all = schedule.name == gpipe.name;
    for (int s = 0; s < stages; ++s)
      CHECK(simulation.peak[std::size_t(s)] ==
            (keeps_all ? batches : std::min(batches, stages - s)));
  });
}

TEST_CASE("the bubble of both schedules has the size of its formula") {
  for_all_pipelines([](Schedule const& schedule, int stages, int batches) {
    Simulation simulation(all_actions(schedule, stages, batches));
    simulation.run();
    double const whole = *std::max_element(simulation.clock.begin(), simulation.clock.end());
    CHECK(std::abs(1 - 3 * batches / whole - bubble(stages, batches)) < 1e-12);
  });
}

TEST_CASE("layers are distributed evenly, in order") {
  for (int layers = 0; layers <= 17; ++layers)
    for (int stages = 1; stages <= 8; ++stages) {
      int next = 0;
      for (int s = 0; s < stages; ++s) {
        auto const own = layers_of_stage(layers, stages, s);
        CHECK(own.begin == next);
        CHECK((own.size() == layers / stages || own.size() == layers / stages + 1));
        next = own.end;
      }
      CHECK(next == layers);
    }
  CHECK_THROWS_WITH_AS(layers_of_stage(3, 2, 2),
                       "tenon::layers_of_stage: expected a stage of some, got 2 of 2", ValueError);
}

}  // namespace pipeline_schedule_test
