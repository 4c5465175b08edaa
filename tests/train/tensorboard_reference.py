"""The event files of Tenon, read by TensorBoard.

Usage: tensorboard_reference.py TEST_PROGRAM        (the test program of this folder)
Exit status 77: skipped, as the Python package is missing.
"""

import os
import subprocess
import sys
import tempfile

try:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
except ImportError as missing:
    print(f"skipped: {missing}; pip install tensorboard")
    sys.exit(77)

with tempfile.TemporaryDirectory() as folder:
    case = "for the reference: a file of events is written"
    subprocess.run(
        [sys.argv[1], "--no-skip", f"--test-case={case}"],
        env=os.environ | {"TENON_REFERENCE": folder},
        check=True,
    )
    events = EventAccumulator(folder).Reload()
    losses = [(event.step, event.value) for event in events.Scalars("loss")]
    assert losses == [(1, 1.0), (2, 0.5), (3, 0.25)], losses
    text = events.Tensors("config/text_summary")[0].tensor_proto.string_val
    assert list(text) == [b"seed = 1"], text
    histogram = events.Histograms("weight")[0].histogram_value
    assert (histogram.num, histogram.sum, histogram.max) == (3, 6, 3), histogram
    assert sum(histogram.bucket) == 3, histogram
print("the events are those that were written")
