#pragma once

#include <tenon/backend/codegen/attention/text.hpp>

/// The kernels of attention, forward and backward, after T. Dao, "FlashAttention-2", 2023. Scores
/// are computed tile by tile and never stored; backward recomputes them.
namespace tenon::internal::codegen {

/// A parameter of such a kernel: output or input memory, or a number.
struct AttentionParameter {
  std::string_view type, name;
  std::string_view Dialect::*pattern;
};

inline Kernel attention_kernel(Dialect const& dialect, std::string name, std::string const& text,
                               std::vector<AttentionParameter> const& parameters, Work work) {
  std::vector<std::string> all;
  all.reserve(parameters.size());
  for (AttentionParameter const& one : parameters)
    all.push_back(filled(dialect.*one.pattern, {std::string(one.type), std::string(one.name),
                                                std::to_string(all.size())}));
  Kernel kernel{std::move(name), {}, {}, 0, 0};
  kernel.work = work;
  kernel.text = filled(work.groups > 0 ? dialect.group_kernel : dialect.kernel,
                       {kernel.name, joined(all, ", "), std::to_string(work.members)}) +
                " {\n" + text + "}\n";
  return kernel;
}

/// The number of groups, and of work items in each.
inline Work work_of(AttentionPart part, AttentionTiling const& tiling,
                    AttentionNumbers const& numbers) {
  std::int64_t const rows = part == AttentionPart::keys ? numbers.keys : numbers.queries;
  return {1, numbers.rows * tiling.slices(numbers.width) * tiles_along(rows, tiling.rows),
          tiling.members()};
}

/// The matrices that the kernels read.
struct AttentionMatrices {
  explicit AttentionMatrices(AttentionIntrinsics const& intrinsics)
      : q{"query", "query_0", "queries", intrinsics.widen},
        k{"key", "key_0", "keys", intrinsics.widen},
        v{"value", "key_0", "keys", intrinsics.widen},
        adjoint{"adjoint", "query_0", "queries", ""} {}
  AttentionMatrix q, k, v, adjoint;
};

/// In causal attention the last queries attend to most keys: they start first.
inline constexpr char last_first[] = "blocks - 1 - block";
/// Columns are keys, up to the last one visible to a row.
inline constexpr char loop_over_keys[] = R"(
  i64 const past = is_causal && row_0 + rows < keys ? row_0 + rows : keys;
  for (i64 column_0 = 0; column_0 < past; column_0 += columns) {
)";
/// Columns are queries, from the first one to which the row is visible.
inline constexpr char loop_over_queries[] = R"(
  for (i64 column_0 = is_causal ? row_0 / columns * columns : 0; column_0 < queries;
       column_0 += columns) {
)";

/// Emits the result of attention.
inline void emit_values(AttentionText& text, bool is_alone) {
  AttentionIntrinsics const& intrinsics = text.intrinsics();
  AttentionMatrices const read(intrinsics);
  text.open("queries", last_first);
  if (!is_alone) text.memory("part", "rows * across");
  text.zeros("sum", "own_slice");
  text.zeros("total", "1");
  text.emit("  real best[own_rows];\n  for (i32 r = 0; r < own_rows; ++r) best[r] = $0;\n",
            {intrinsics.infinity});
  text.emit(loop_over_keys);
  text.product("score", read.q, read.k);
  text.emit_either(attention::soften_alone, attention::soften_together,
                   {intrinsics.exp, intrinsics.infinity, text.barrier(), intrinsics.scale});
  text.gather("sum", read.v);
  text.emit("  }\n");
  if (!is_alone) text.emit(attention::total_together, {text.barrier()});
  text.emit(attention::store_values, {intrinsics.narrow, intrinsics.log});
}

/// Emits the adjoint of queries.
inline void emit_query_adjoints(AttentionText& text) {
  AttentionIntrinsics const& intrinsics = text.intrinsics();
  AttentionMatrices const read(intrinsics);
  text.open("queries", last_first);
  text.zeros("sum", "own_slice");
  text.emit(loop_over_keys);
  text.product("score", read.q, read.k);
  text.product("share", read.adjoint, read.v);
  text.emit(attention::backward_rows, {intrinsics.exp, intrinsics.scale, intrinsics.infinity});
  text.gather("sum", read.k);
  text.emit("  }\n");
  text.emit(attention::store_adjoint, {"of_q", "sum", "query_0", "queries", "adds_to_q"});
}

/// Emits the adjoints of keys and values.
inline void emit_key_adjoints(AttentionText& text) {
  AttentionIntrinsics const& intrinsics = text.intrinsics();
  AttentionMatrices const read(intrinsics);
  text.open("keys", "block");
  text.zeros("key_sum", "own_slice");
  text.zeros("value_sum", "own_slice");
  text.emit(loop_over_queries);
  text.product("score", read.k, read.q);
  text.product("share", read.v, read.adjoint);
  text.emit(attention::probabilities, {intrinsics.exp, intrinsics.scale, intrinsics.infinity});
  text.gather("value_sum", read.adjoint);
  text.emit(attention::backward_columns, {intrinsics.scale, intrinsics.infinity});
  text.gather("key_sum", read.q);
  text.emit("  }\n");
  text.emit(attention::store_adjoint, {"of_k", "key_sum", "key_0", "keys", "adds_to_k"});
  text.emit(attention::store_adjoint, {"of_v", "value_sum", "key_0", "keys", "adds_to_v"});
}

inline void emit_part(AttentionText& text, AttentionPart part, bool is_alone) {
  if (part == AttentionPart::values) emit_values(text, is_alone);
  else if (part == AttentionPart::queries) emit_query_adjoints(text);
  else emit_key_adjoints(text);
}

/// The parameters of one of the kernels, in order.
inline std::vector<AttentionParameter> parameters_of(AttentionPart part,
                                                     AttentionIntrinsics const& intrinsics) {
  std::vector<AttentionParameter> all;
  auto const add = [&](std::string_view type, std::string_view Dialect::*pattern,
                       std::initializer_list<std::string_view> names) {
    for (std::string_view const name : names) all.push_back({type, name, pattern});
  };
  bool const by_queries = part == AttentionPart::queries, by_keys = part == AttentionPart::keys;
  if (by_queries) add(intrinsics.real, &Dialect::result, {"of_q"});
  else if (by_keys) add(intrinsics.real, &Dialect::result, {"of_k", "of_v"});
  else
    add(intrinsics.stored, &Dialect::result, {"out"}),
        add(intrinsics.real, &Dialect::result, {"log_sums"});
  add(intrinsics.stored, &Dialect::operand, {"query", "key", "value"});
  if (by_queries || by_keys)
    add(intrinsics.real, &Dialect::operand, {"adjoint", "log_sums", "deltas"});
  add("i64", &Dialect::size, {"batches", "heads", "queries", "keys"});
  if (by_queries) add("i64", &Dialect::size, {"adds_to_q"});
  if (by_keys) add("i64", &Dialect::size, {"adds_to_k", "adds_to_v"});
  return all;
}

/// One of the tiled kernels, for elements `T`. Its arguments: the outputs, q, k and v; backward the
/// adjoint of the result, the log-sum-exps and the deltas; the numbers of rows, of heads, of
/// queries and of keys; backward, for each adjoint, whether it is accumulated.
template <class T>
Kernel attention_part(Functions& functions, AttentionPart part, AttentionNumbers const& numbers) {
  AttentionTiling const tiling =
      tiling_of(part, numbers, sizeof(Computed<T>), functions.is_processor);
  AttentionText text(functions.dialect(), AttentionIntrinsics::of<T>(functions, numbers.scale),
                     tiling, numbers);
  emit_part(text, part, tiling.is_alone());
  constexpr std::string_view names[] = {"attention", "attention_queries", "attention_keys"};
  return attention_kernel(functions.dialect(), std::string(names[static_cast<int>(part)]),
                          text.text(), parameters_of(part, text.intrinsics()),
                          work_of(part, tiling, numbers));
}

/// The kernel of the deltas. Its arguments: the deltas, the result and its adjoint, the number of
/// deltas, and the number of features.
template <class T>
Kernel attention_deltas(Functions& functions) {
  std::string_view const stored = type_text<T>, real = type_text<Computed<T>>;
  Dialect const& dialect = functions.dialect();
  std::string const text =
      filled(attention::deltas,
             {filled(dialect.rows, {"count"}), widening<T>(functions), std::string(real),
              literal(dialect, -std::numeric_limits<Computed<T>>::infinity())});
  return attention_kernel(dialect, "attention_deltas", text,
                          {{real, "deltas", &Dialect::result},
                           {stored, "out", &Dialect::operand},
                           {real, "adjoint", &Dialect::operand},
                           {"i64", "count", &Dialect::size},
                           {"i64", "width", &Dialect::size}},
                          {});
}

}  // namespace tenon::internal::codegen
