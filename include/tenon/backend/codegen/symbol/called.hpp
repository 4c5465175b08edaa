#pragma once

#include <utility>

#include <tenon/backend/codegen/symbol/symbol.hpp>
#include <tenon/backend/codegen/text/op_text.hpp>

/// Long bodies are emitted once, as functions; rare branches are behind an `if`.
namespace tenon::internal::codegen {

/// A body of at most this many statements is inlined.
inline constexpr std::size_t short_body = 3;

/// The names of parameters.
inline std::string parameter_text(std::size_t place) { return {"xyzuvw"[place]}; }

/// `exp_f32`; of another type than its argument: `less_f32_mask`.
inline std::string function_name(std::string_view name, std::string_view result,
                                 std::string_view first) {
  std::string text = std::string(name).append("_").append(first);
  if (result != first) text.append("_").append(result);
  return text;
}

/// Emits a function with a body of these lines unless it exists; returns its name.
inline std::string function_of_lines(Functions& functions, std::string_view name,
                                     std::string_view type, std::vector<std::string> const& lines,
                                     std::vector<std::string_view> const& types) {
  std::vector<std::string> parameters;
  parameters.reserve(types.size());
  for (std::string_view of : types)
    parameters.push_back(filled(functions.dialect().parameter,
                                {std::string(of), parameter_text(parameters.size())}));
  std::string body;
  for (std::string const& line : lines) body += "  " + line + "\n";
  return functions.function(std::string(type), function_name(name, type, types[0]),
                            joined(parameters, ", "), body);
}

/// Emits a listing as a function unless it exists; returns its name.
inline std::string function_of(Listing& inside, std::string_view name, std::string_view type,
                               std::string const& result,
                               std::vector<std::string_view> const& types) {
  std::vector<std::string> lines = inside.lines(result);
  lines.push_back("return " + result + ";");
  return function_of_lines(inside.functions(), name, type, lines, types);
}

/// A listing with parameters only; their names are 0, 1 …
inline Listing with_parameters(Functions& functions, std::size_t count) {
  Listing inside(functions);
  for (std::size_t i = 0; i < count; ++i) inside.parameter(parameter_text(i));
  return inside;
}

/// The body of an op, as one type for all call sites.
template <class Op>
struct BodyOf {
  template <class... T>
  auto operator()(T const&... x) const {
    return Op::f(x...);
  }
};

/// A call of an emitted function.
template <class R>
Symbol<R> call_of(Listing& listing, std::string const& function, Terms const& terms) {
  std::string const call = function + "(" + joined(texts_of(terms), ", ") + ")";
  return {listing, listing.value(type_text<R>, call, names_of(terms))};
}

/// body(x...) as a call of a function that is emitted once; inlined if it is short.
template <class R, class Body, class... T>
[[gnu::noinline]] Symbol<R> called(std::string_view name, Body const& body, Symbol<T> const&... x) {
  if ((x.is_number() && ...)) return body(x...);
  Listing& listing = listing_of(x...);
  Listing inside = with_parameters(listing.functions(), sizeof...(T));
  Symbol<R> const value = [&]<int... k>(std::integer_sequence<int, k...>) {
    return body(Symbol<T>(inside, k)...);
  }(std::make_integer_sequence<int, sizeof...(T)>());
  std::string const result = term_of(inside, value).text;
  if (inside.lines(result).size() <= short_body) return body(x...);
  return call_of<R>(listing, function_of(inside, name, type_text<R>, result, {type_text<T>...}),
                    {term_of(listing, x)...});
}

/// An op of symbols: its hand-written text for the dialect, or its body.
template <class Op, class R, class... T>
Symbol<R> op_called(Symbol<T> const&... x) {
  if constexpr (op_text<Op>.size() > 0) {
    if ((x.is_number() && ...)) return Op::f(x...);
    Listing& listing = listing_of(x...);
    if (OpText const* const own = text_for(op_text<Op>, listing.dialect(), type_text<R>))
      return call_of<R>(listing,
                        function_of_lines(listing.functions(), Op::name, type_text<R>,
                                          lines_of(own->body), {type_text<T>...}),
                        {term_of(listing, x)...});
  }
  return called<R>(Op::name, BodyOf<Op>(), x...);
}

/// The intrinsic of `op/intrinsics.hpp`.
template <class T, class F>
Symbol<T> rarely(Symbol<bool> mask, Symbol<T> x, F const& f, Symbol<T> usual) {
  if (mask.is_number()) return mask.number ? f(x) : usual;
  Listing& listing = *mask.listing;
  int const outer = listing.innermost({mask.name, x.name, usual.name});
  Symbol<T> const result(listing, listing.variable(type_text<T>, usual.text(listing), outer));
  int const block = listing.open(outer, &Dialect::condition, {mask.text(listing)});
  Symbol<T> const rare = listing.within(block, [&] { return f(x); });
  listing.line(block, result.text(listing) + " = " + rare.text(listing) + ";");
  listing.close(block);
  return result;
}

/// The intrinsic of `op/intrinsics.hpp`; both are computed unless the mask is a number.
template <class Yes, class No>
auto either(Symbol<bool> mask, Yes const& yes, No const& no) {
  if (mask.is_number()) return mask.number ? yes() : no();
  return select(mask, yes(), no());
}

/// The intrinsic of `op/intrinsics.hpp`.
template <class Table>
Symbol<std::uint64_t> entry(Symbol<std::uint64_t> place) {
  if (place.is_number()) return intrinsics::entry<Table>(place.number);
  std::vector<std::string> entries;
  Listing& listing = *place.listing;
  std::string_view const end = listing.dialect().has_typed_numbers ? "u" : "";
  for (std::uint64_t number : Table::entries) entries.push_back(digits_of(number).append(end));
  std::string const table =
      listing.functions().table(std::string(Table::name), entries.size(), joined(entries, ", "));
  return {listing, listing.value("u64", table + "[" + place.text(listing) + "]", {place.name})};
}

}  // namespace tenon::internal::codegen
