#pragma once

/// A type-erased function reference, so that its callers are compiled once.
namespace tenon::internal::codegen {

template <class Signature>
class Callback;

/// A non-owning reference to a function, which has to outlive the call.
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

}  // namespace tenon::internal::codegen
