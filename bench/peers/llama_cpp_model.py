"""A Llama of the Python package transformers, executed by llama.cpp in float32: needs the Python
packages llama-cpp-python and gguf."""

import ctypes

import gguf
import llama_cpp
import numpy

# The tensors of a layer: llama.cpp's name, that of transformers.
LAYER = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


def interleaved(weight, heads):
    """The rows of each head in llama.cpp's order: the two numbers that a rotary position rotates are
    neighbours there, and half a head apart in transformers."""
    rows, columns = weight.shape
    pairs = weight.reshape(heads, 2, rows // heads // 2, columns)
    return pairs.swapaxes(1, 2).reshape(rows, columns)


def add_sizes(file, config):
    file.add_vocab_size(config.vocab_size)
    file.add_context_length(config.max_position_embeddings)
    file.add_embedding_length(config.hidden_size)
    file.add_feed_forward_length(config.intermediate_size)
    file.add_block_count(config.num_hidden_layers)
    file.add_head_count(config.num_attention_heads)
    file.add_head_count_kv(config.num_key_value_heads)
    file.add_layer_norm_rms_eps(config.rms_norm_eps)
    file.add_rope_dimension_count(config.hidden_size // config.num_attention_heads)
    file.add_tokenizer_model("no_vocab")


def write_gguf(model, path):
    """Writes a transformers.LlamaForCausalLM as a GGUF file without a tokenizer."""
    config, weights = model.config, {k: x.numpy() for k, x in model.state_dict().items()}
    heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads}
    file = gguf.GGUFWriter(str(path), "llama")
    add_sizes(file, config)
    for name, source in [
        ("token_embd", "model.embed_tokens"),
        ("output_norm", "model.norm"),
        ("output", "lm_head"),
    ]:
        file.add_tensor(f"{name}.weight", weights[f"{source}.weight"])
    for i in range(config.num_hidden_layers):
        for name, source in LAYER.items():
            weight = weights[f"model.layers.{i}.{source}.weight"]
            if name in heads:
                weight = interleaved(weight, heads[name])
            file.add_tensor(f"blk.{i}.{name}.weight", numpy.ascontiguousarray(weight))
    file.write_header_to_file()
    file.write_kv_data_to_file()
    file.write_tensors_to_file()
    file.close()


class Model:
    def __init__(self, path, threads, context=256):
        llama_cpp.llama_backend_init()
        self.log = llama_cpp.llama_log_callback(lambda *_: None)
        llama_cpp.llama_log_set(self.log, ctypes.c_void_p(0))
        defaults = llama_cpp.llama_model_default_params()
        self.model = llama_cpp.llama_model_load_from_file(str(path).encode(), defaults)
        options = llama_cpp.llama_context_default_params()
        options.n_ctx, options.n_threads, options.n_threads_batch = context, threads, threads
        self.context = llama_cpp.llama_init_from_model(self.model, options)
        vocabulary = llama_cpp.llama_model_get_vocab(self.model)
        self.words = llama_cpp.llama_vocab_n_tokens(vocabulary)

    def next(self, tokens):
        """The likeliest token after these and those before."""
        array = (llama_cpp.llama_token * len(tokens))(*tokens)
        code = llama_cpp.llama_decode(
            self.context, llama_cpp.llama_batch_get_one(array, len(tokens))
        )
        assert code == 0, f"llama_decode: {code}"
        scores = llama_cpp.llama_get_logits_ith(self.context, -1)
        return int(numpy.ctypeslib.as_array(scores, (self.words,)).argmax())

    def generate(self, given, count):
        """`count` tokens after the given ones, greedy."""
        llama_cpp.llama_memory_clear(llama_cpp.llama_get_memory(self.context), True)
        new = [self.next(given)]
        while len(new) < count:
            new.append(self.next(new[-1:]))
        return new
