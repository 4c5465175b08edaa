"""The exam of the GPT example, repeated by ONNX Runtime.

Usage: exam.py FOLDER            (a folder of runs/ of examples/12_gpt.cpp)
       exam.py --test PROGRAM    (trains a small model first, in the current folder)
Exit status 77: skipped, as Python packages are missing.
"""

import pathlib
import subprocess
import sys

try:
    import numpy as np
    import onnxruntime
except ImportError as missing:
    print(f"skipped: {missing}; pip install numpy onnxruntime")
    sys.exit(77)

VOCABULARY = "0123456789+="
ANSWER_LENGTH = 3


def answers_of(session, questions):
    """The most likely three tokens after each question."""
    texts = list(questions)
    for _ in range(ANSWER_LENGTH):
        tokens = np.array([[VOCABULARY.index(c) for c in text] for text in texts], np.int32)
        (scores,) = session.run(None, {"tokens": tokens})
        texts = [t + VOCABULARY[i] for t, i in zip(texts, scores[:, -1].argmax(-1))]
    return [text[-ANSWER_LENGTH:] for text in texts]


def main():
    if sys.argv[1] == "--test":
        run = [sys.argv[2], "--steps", "60", "--batch", "32", "--tag", "onnx"]
        subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
    runs = sorted(pathlib.Path("runs").glob("*_onnx*"))
    folder = runs[-1] if sys.argv[1] == "--test" else pathlib.Path(sys.argv[1])
    session = onnxruntime.InferenceSession(
        str(folder / "model.onnx"), providers=["CPUExecutionProvider"]
    )
    exam = [line.split() for line in (folder / "exam.txt").read_text().splitlines()]
    questions, right, theirs = zip(*exam)
    ours = answers_of(session, questions)
    print(f"{sum(a == b for a, b in zip(ours, right))} of {len(exam)} right by ONNX Runtime")
    same = sum(a == b for a, b in zip(ours, theirs))
    print(f"{same} of {len(exam)} answers as those of the program")
    sys.exit(same < 0.999 * len(exam))


main()
