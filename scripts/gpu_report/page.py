"""The report of scripts/gpu: times as fractions of a card's peaks, and the page."""

import re

# Bytes and operations per second (float, bfloat16), from NVIDIA's data sheets, dense: GH200 (2024),
# H200 (2024), H100 (2023), A100 (2021), L40S (2023), V100 (2020). The first that is found in the
# card's name is used.
PEAKS = [("GH200 144G", 4.9e12, 67e12, 990e12), ("GH200", 4.0e12, 67e12, 990e12),
         ("H200 NVL", 4.8e12, 60e12, 835e12), ("H200", 4.8e12, 67e12, 989e12),
         ("H100 NVL", 3.9e12, 60e12, 835e12), ("H100 PCIe", 2.0e12, 51e12, 756e12),
         ("H100", 3.35e12, 67e12, 989e12), ("A100.*40GB", 1.555e12, 19.5e12, 312e12),
         ("A100 80GB PCIe", 1.935e12, 19.5e12, 312e12), ("A100", 2.04e12, 19.5e12, 312e12),
         ("L40S", 0.864e12, 91.6e12, 362e12), ("V100S", 1.134e12, 16.4e12, 0),
         ("V100-PCIE", 0.9e12, 14e12, 0), ("V100", 0.9e12, 15.7e12, 0)]
WORDS = {0: "passed", "skipped": "skipped"}  # all else has failed


def peaks_of(card):
    return next((row for row in PEAKS if re.search(row[0], card)), ("unknown", 0, 0, 0))


def row_of(name, numbers, peer, peaks):
    """One line of the table of times."""
    seconds, size, operations = numbers
    most = peaks[3] if "bfloat16" in name else peaks[2]
    share = lambda amount, peak: amount / seconds / peak if amount and peak else None
    return {"work": name, "seconds": seconds, "pytorch": peer[0] if peer else None,
            "ratio": peer[0] / seconds if peer else None,
            "of_bandwidth": share(size, peaks[1]), "of_peak": share(operations, most)}


def cell(number, scale=1.0):
    return "" if number is None else f"{number * scale:.3g}"


def failures(report):
    return [result for result in report["results"] if result["result"] not in WORDS]


def part(result):
    """A line of the list of parts; the last line of a skipped one says why."""
    line = f"{WORDS.get(result['result'], 'FAILED')}: {result['name']}"
    if result["result"] != "skipped":
        return "- " + line
    return f"- {line}: {result['output'].strip().splitlines()[-1].removeprefix('skipped: ')}"


def page(report):
    """The report as Markdown."""
    failed = failures(report)
    text = [f"# The CUDA device on {report['card']}", "", f"{len(report['results'])} parts, "
            f"{len(failed)} failed, {report['seconds']:.0f} s. Peaks: {report['peaks']}.", "",
            "| work | Tenon, us | PyTorch, us | PyTorch / Tenon | of bandwidth | of peak |",
            "|---|---|---|---|---|---|"]
    for r in report["times"]:
        text.append(f"| {r['work']} | {cell(r['seconds'], 1e6)} | {cell(r['pytorch'], 1e6)} | "
                    f"{cell(r['ratio'])} | {cell(r['of_bandwidth'])} | {cell(r['of_peak'])} |")
    text += ["", "## Parts", "", *map(part, report["results"])]
    for r in failed:
        text += ["", f"### {r['name']}: {r['result']}", "", "```", r["output"][:20000], "```"]
    return "\n".join(text + ["", "## Machine", "", "```", report["machine"], "```", ""])
