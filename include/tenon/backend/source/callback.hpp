#pragma once

/// What is called without its type being known: who calls it is compiled once for all.
namespace tenon::source {

template <class Signature>
class Callback;

/// A function that its maker keeps while it is called.
template <class R, class... A>
class Callback<R(A...)> {
 public:
  template <class F>
  Callback(F const& function) : function_(&function), call_(&call<F>) {}

  R operator()(A... arguments) const { return call_(function_, arguments...); }

 private:
  template <class F>
  static R call(void const* function, A... arguments) {
    return (*static_cast<F const*>(function))(arguments...);
  }

  void const* function_;
  R (*call_)(void const*, A...);
};

}  // namespace tenon::source
