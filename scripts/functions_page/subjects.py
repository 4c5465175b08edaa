"""The subjects of docs/functions.md, in order, with the headers of each; the first match counts.

`example` names the test with the examples: functions_<example>_test.cpp in tests/docs or
tests/distributed.
"""

SUBJECTS = [
    # title, example, prefixes of headers
    ("Gradients", "gradients", ["autodiff/", "eval/custom.hpp", "op/stop.hpp"]),
    (
        "Own operations and backends",
        "",
        [
            "op/function.hpp",
            "core/mistake.hpp",
            "expr/map/mapped.hpp",
            "eval/access.hpp",
            "eval/attention.hpp",
            "eval/backend.hpp",
            "eval/contract/",
            "eval/tape/tape.hpp",
            "backend/contract.hpp",
        ],
    ),
    (
        "Tensors and dtypes",
        "tensors",
        [
            "tensor/tensor.hpp",
            "tensor/aliases.hpp",
            "tensor/complex.hpp",
            "tensor/matrices.hpp",
            "core/half.hpp",
            "core/float8.hpp",
            "core/dtype_from_string.hpp",
            "core/shape.hpp",
            "core/format.hpp",
            "core/format_spec.hpp",
            "core/dtype.hpp",
            "tensor/expression.hpp",
            "tensor/print.hpp",
            "expr/shape_of.hpp",
        ],
    ),
    (
        "Annotations",
        "tensors",
        [
            "expr/annotation.hpp",
            "expr/checked.hpp",
            "eval/print_bindings.hpp",
            "core/spec_join.hpp",
        ],
    ),
    ("Creation", "creation", ["expr/create/"]),
    (
        "Complex numbers and Fourier transforms",
        "fft",
        [
            "op/complex.hpp",
            "numeric/complex.hpp",
            "nn/complex_layers.hpp",
            "numeric/fft.hpp",
            "numeric/real_fft.hpp",
            "numeric/signal.hpp",
            "numeric/stft.hpp",
        ],
    ),
    ("Elementwise functions", "elementwise", ["op/", "expr/map/"]),
    (
        "Reductions",
        "reductions",
        [
            "expr/reduction/",
            "numeric/counts.hpp",
            "numeric/partition.hpp",
            "numeric/scans.hpp",
            "numeric/statistics.hpp",
        ],
    ),
    ("Products, einsum, convolution", "products", ["expr/contract/", "core/rules/convolution.hpp"]),
    (
        "Indexing and sorting",
        "indexing",
        ["expr/gather/", "expr/view/row.hpp", "numeric/indexing.hpp", "numeric/repetition.hpp"],
    ),
    ("Shape and slices", "shape", ["expr/view/"]),
    ("Joining", "shape", ["expr/join/"]),
    (
        "Linear algebra",
        "linalg",
        [
            "expr/linalg/",
            "numeric/eigenvalues.hpp",
            "numeric/matrix_",
            "numeric/pseudoinverse.hpp",
            "numeric/special_matrices.hpp",
            "numeric/triangular.hpp",
        ],
    ),
    (
        "Integration and interpolation",
        "numeric",
        [
            "numeric/odeint.hpp",
            "numeric/quad.hpp",
            "numeric/interp.hpp",
            "numeric/cubic_spline.hpp",
        ],
    ),
    ("Random numbers", "random", ["random/", "numeric/distributions", "numeric/draws/"]),
    (
        "Evaluation and views",
        "evaluation",
        [
            "eval/evaluate.hpp",
            "eval/evaluate_together.hpp",
            "eval/capture.hpp",
            "eval/materialize.hpp",
            "eval/print_graph.hpp",
            "expr/assign.hpp",
            "expr/lazy.hpp",
            "expr/view.hpp",
            "tensor/view.hpp",
            "tensor/shared_view.hpp",
            "tensor/span.hpp",
            "expr/view_layout.hpp",
            "eval/to_vector.hpp",
        ],
    ),
    ("Trees", "trees", ["tree/"]),
    (
        "Layers of images",
        "images",
        ["nn/conv", "nn/pooling", "nn/adaptive", "nn/interpolate", "nn/pixel", "nn/fold"],
    ),
    ("Layers", "layers", ["nn/", "eval/layer_kind.hpp"]),
    ("Losses", "losses", ["losses/"]),
    ("Optimisers", "optimisers", ["optim/"]),
    ("Interchange with Eigen", "eigen", ["io/eigen"]),
    ("Interchange with std::mdspan", "", ["io/mdspan"]),
    ("Interchange with Python, DLPack", "interchange", ["io/dlpack", "io/nanobind"]),
    ("Files", "files", ["io/"]),
    (
        "Devices",
        "devices",
        [
            "tensor/device.hpp",
            "backend/devices.hpp",
            "backend/cuda",
            "backend/metal",
            "backend/opencl",
            "eval/move_",
            "eval/fallback.hpp",
        ],
    ),
    (
        "Threads and memory",
        "devices",
        ["backend/cpu/", "tensor/block_cache.hpp", "tensor/device_memory.hpp"],
    ),
    ("Text of kernels", "devices", ["backend/codegen/"]),
    ("Errors", "devices", ["core/error.hpp"]),
    ("Distributed: ranks and meshes", "collectives", ["distributed/communication/"]),
    ("Distributed: collectives", "collectives", ["distributed/collectives/"]),
    ("Distributed: sharded tensors", "sharding", ["distributed/sharding/"]),
    ("Distributed: data parallelism", "collectives", ["distributed/data_parallel/"]),
    ("Distributed: ZeRO", "sharding", ["distributed/zero/"]),
    ("Distributed: tensor parallelism", "sharding", ["distributed/tensor_parallel/"]),
    ("Distributed: pipelines", "sharding", ["distributed/pipeline/"]),
    ("Distributed: context parallelism", "", ["distributed/context_parallel/"]),
    ("Distributed: experts", "", ["distributed/experts/"]),
    ("Distributed: checkpoints", "sharding", ["distributed/checkpoint/"]),
    ("Configuration of a program", "", ["train/config", "train/yaml"]),
    ("Runs, logs and progress", "", ["train/run", "train/spdlog", "train/plot"]),
    ("Data", "", ["train/data"]),
    ("Precision", "", ["train/precision"]),
    (
        "Training and checkpoints",
        "",
        [
            "train/checkpoints",
            "train/fit",
            "train/loop",
            "train/lr_find",
            "train/main",
            "train/stop",
        ],
    ),
    ("Looking inside", "", ["train/"]),
    ("Checks for tests", "", ["testing/"]),
]
LAST = ["Own operations and backends"]  # printed after the others
AFTER = {"Gradients": "Evaluation and views"}


def subject_of(header):
    for title, _, prefixes in SUBJECTS:
        if any(header.startswith(prefix) for prefix in prefixes):
            return title
    raise SystemExit(
        f"scripts/functions: no subject for {header}: scripts/functions_page/subjects.py"
    )


def titles():
    """In the order of the page."""
    order = [title for title, _, _ in SUBJECTS if title not in LAST and title not in AFTER]
    for title, before in AFTER.items():
        order.insert(order.index(before) + 1, title)
    return order + LAST


def example_file(title):
    return next(example for other, example, _ in SUBJECTS if other == title)
