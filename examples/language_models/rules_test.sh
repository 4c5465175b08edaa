#!/usr/bin/env bash
# Files that the examples of language models refuse, each with one clear line; and what sampling
# promises. Usage: rules_test.sh EXAMPLE_16_GPT2 EXAMPLE_17_LLAMA, in an empty folder.
set -euo pipefail
gpt2=$1 llama=$2
rm -rf gpt2 llama broken
mkdir gpt2 llama
(cd gpt2 && "$gpt2" --tokens 2 >/dev/null) && (cd llama && "$llama" --tokens 2 >/dev/null)
failures=0
fail() { echo "FAILED: $*" && failures=$((failures + 1)); }

# refused MODEL PROGRAM FILE SED WORDS: the program refuses the folder in which sed changed the file
refused() {
  rm -rf broken && cp -r "$1/random" broken
  sed -i -z "$4" "broken/$3"
  ! cmp -s "$1/random/$3" "broken/$3" || fail "$4 changes nothing in $3"
  local code=0 words
  words=$("$2" broken --tokens 2 2>&1 >/dev/null) || code=$?
  [ $code -eq 1 ] || fail "$1 $4: exit status $code"
  [ "$words" = "tenon::load: $5" ] || fail "$1 $4: said '$words', not 'tenon::load: $5'"
}
of_gpt2() { refused gpt2 "$gpt2" config.json "$1" "$2 (broken/config.json${3:-})"; }
of_llama() { refused llama "$llama" config.json "$1" "$2 (broken/config.json${3:-})"; }

of_gpt2 's/.*//' "expected a value, got the end of the file" ", byte 0 of the file"
of_gpt2 's/{/[/' "expected ',' or ']', got ':'" ", byte 16 of the file"
of_gpt2 's/}//' "expected ',' or '}', got the end of the file" ", byte 309 of the file"
of_gpt2 's/"gpt2"/"llama"/' "'model_type': expected \"gpt2\", got \"llama\""
of_gpt2 's/"gpt2"/7/' "'model_type': expected a string, got 7"
of_gpt2 's/"model_type": "gpt2",//' "'model_type': expected a value, got none"
of_gpt2 's/gelu_new/relu/' "'activation_function': expected \"gelu_new\", got \"relu\""
of_gpt2 's/"n_embd": 32/"n_embd": 33/' "'n_embd': expected 32, as in the weights, got 33"
of_gpt2 's/"n_embd": 32/"n_embd": -32/' \
  "'n_embd': expected a whole number from 1 to 2147483648, got -32"
of_gpt2 's/"n_embd": 32/"n_embd": 3.2e1/' "'n_embd': expected a whole number of 64 bits, got 3.2e1"
of_gpt2 's/"n_embd": 32/"n_embd": 1e999/' "'n_embd': expected a whole number of 64 bits, got 1e999"
of_gpt2 's/"n_embd": 32/"n_embd": null/' "'n_embd': expected a value, got none"
of_gpt2 's/"n_layer": 2/"n_layer": 3/' "'n_layer': expected 2, as in the weights, got 3"
of_gpt2 's/"n_layer": 2/"n_layer": 2, "n_layer": 2/' \
  "expected every name once, got 'n_layer' again" ", byte 168 of the file"
of_gpt2 's/"n_head": 4/"n_head": 5/' "'n_head': expected a divisor of n_embd, got 5"
of_gpt2 's/"n_head": 4/"n_head": 0/' "'n_head': expected a whole number from 1 to 2147483648, got 0"
of_gpt2 's/"n_head": 4/"n_head": 99999999999999999999/' \
  "'n_head': expected a whole number of 64 bits, got 99999999999999999999"
of_gpt2 's/"vocab_size": 256/"vocab_size": 50257/' \
  "'vocab_size': expected 256, as in the weights, got 50257"
of_gpt2 's/"n_positions": 64/"n_positions": 1024/' \
  "'n_positions': expected 64, as in the weights, got 1024"
of_gpt2 's/"n_inner": null/"n_inner": 64/' "'n_inner': expected 128, as in the weights, got 64"
of_gpt2 's/"scale_attn_weights": true/"scale_attn_weights": false/' \
  "'scale_attn_weights': expected true, got false"
of_gpt2 's/1e-05/"small"/' "'layer_norm_epsilon': expected a number, got \"small\""
of_gpt2 's/"eos_token_id": 0/"eos_token_id": "0"/' \
  "'eos_token_id': expected a whole number, got \"0\""

of_llama 's/"llama"/"mistral"/' "'model_type': expected \"llama\", got \"mistral\""
of_llama 's/silu/gelu/' "'hidden_act': expected \"silu\", got \"gelu\""
of_llama 's/"attention_bias": false/"attention_bias": true/' \
  "'attention_bias': expected false, got true"
of_llama 's/"mlp_bias": false/"mlp_bias": 0/' "'mlp_bias': expected true or false, got 0"
of_llama 's/"num_key_value_heads": 2/"num_key_value_heads": 3/' \
  "'num_key_value_heads': expected a divisor of num_attention_heads, got 3"
of_llama 's/"num_key_value_heads": 2/"num_key_value_heads": 4/' \
  "'num_key_value_heads': expected 16 / 8, as in the weights, got 4"
of_llama 's/"num_attention_heads": 4/"num_attention_heads": 8/' \
  "'num_attention_heads': expected 32 / 8, as in the weights, got 8"
of_llama 's/"head_dim": 8/"head_dim": 7/' "'head_dim': expected heads with an even number of features, got 7"
of_llama 's/"intermediate_size": 80/"intermediate_size": 81/' \
  "'intermediate_size': expected 80, as in the weights, got 81"
of_llama 's/"rope_type": "llama3"/"rope_type": "yarn"/' \
  "'rope_scaling.rope_type': expected \"default\" or \"llama3\", got \"yarn\""
of_llama 's/"rope_type": "llama3"/"type": "linear"/' \
  "'rope_scaling.type': expected \"default\" or \"llama3\", got \"linear\""
of_llama 's/"factor": 8.0,//' "'rope_scaling.factor': expected a value, got none"
of_llama 's/"factor": 8.0/"factor": 0/' "'rope_scaling.factor': expected a positive number, got 0"
of_llama 's/"rope_theta": 10000.0/"rope_theta": -1/' \
  "'rope_theta': expected a positive number, got -1"
of_llama 's/"rope_theta": 10000.0/"rope_theta": 1e400/' \
  "'rope_theta': expected a number in the range of double, got 1e400"
of_llama 's/"rope_theta": 10000.0,//' "'rope_theta': expected a value, got none"
of_llama 's/"eos_token_id": .0, 1./"eos_token_id": [0, -1]/' \
  "'eos_token_id.1': expected a whole number from 0 to 1073741824, got -1"

refused gpt2 "$gpt2" tokenizer.json 's/"BPE"/"Unigram"/' \
  "'model.type': expected \"BPE\", got \"Unigram\" (broken/tokenizer.json)"
refused gpt2 "$gpt2" tokenizer.json 's/"\\u0061": 97, //' \
  "'model.vocab': expected a token for each byte, 'a' among them, got none (broken/tokenizer.json)"

# An index that names no file, and one that leads out of its folder.
rm -rf broken && cp -r gpt2/random broken
index=broken/model.safetensors.index.json
echo '{"weight_map": {"wte.weight": "../model.safetensors"}}' >$index
words=$("$gpt2" broken 2>&1 >/dev/null) || true
[ "$words" = "tenon::load: 'weight_map.wte.weight': expected the name of a file in the folder of the \
index, got \"../model.safetensors\" ($index)" ] || fail "index: said '$words'"

# Options.
for options in "--tokens 0" "--temperature -1" "--top-p 0" "--top-k x" "--ids 1,x" "--seed -1" \
  "--what 1" "--tokens" "--tokens 1000" "--ids 256" "--ids 1,2,-3"; do
  code=0
  # shellcheck disable=SC2086
  words=$("$gpt2" gpt2/random $options 2>&1 >/dev/null) || code=$?
  [ $code -eq 1 ] && [ "$(wc -l <<<"$words")" -eq 1 ] || fail "$options: $code, '$words'"
done

# The same seed gives the same text; the most likely of one token is the greedy one.
ids() { "$llama" llama/random --ids 84,101,110 --tokens 12 "$@" 2>/dev/null; }
[ "$(ids --temperature 1 --seed 3)" = "$(ids --temperature 1 --seed 3)" ] || fail "same seed"
[ "$(ids --temperature 1 --seed 3)" != "$(ids --temperature 1 --seed 4)" ] || fail "other seed"
[ "$(ids --temperature 1 --top-k 1)" = "$(ids)" ] || fail "top 1 is greedy"
[ "$(ids --temperature 1 --top-p 0.000001)" = "$(ids)" ] || fail "top p of nothing is greedy"
[ "$failures" -eq 0 ] || exit 1
echo "all refused"
