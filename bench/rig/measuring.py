"""Runs a client once, or long enough, and tells what it took."""

import dataclasses
import json
import pathlib
import shutil
import statistics
import subprocess
import tempfile

from rig import machine


@dataclasses.dataclass
class Sample:
    """One round of a client: the means of as many runs as it takes to last half a second."""

    wall: float
    cpu: float
    peak_kb: int
    waits: int
    preempted: int
    runs: int


def run(client, workload, width, scratch):
    """Runs a client into a fresh folder, and stops everything where it did not fetch it all."""
    # Settings and locks that a client leaves beside its files are not counted.
    home = pathlib.Path(tempfile.mkdtemp(prefix="run-", dir=scratch))
    folder = home / "files"
    folder.mkdir()
    result, output, errors = (scratch / name for name in ("result", "output", "errors"))
    command = [machine.built / "measure", result, *client.command(workload.list, folder, width)]
    try:
        source = workload.list if client.reads_list else "/dev/null"
        with open(source) as standard, open(output, "w") as out, open(errors, "w") as err:
            subprocess.run(
                [str(word) for word in command],
                stdin=standard,
                stdout=out,
                stderr=err,
                cwd=folder,
                env=machine.clean_environment(home),
                check=True,
            )
        figures = json.loads(result.read_text())
        files, size = client.count(folder, output)
        if figures["status"] or (files, size) != (workload.count, workload.bytes):
            machine.say(errors.read_text()[:2000])
            machine.stop(
                f"{client.name} on {workload.name}: status {figures['status']}, "
                f"{files} of {workload.count} files, {size} of {workload.bytes} bytes"
            )
        return figures
    finally:
        shutil.rmtree(home, ignore_errors=True)


def sample(client, workload, width, scratch, at_least=0.5):
    """A round: whole runs until they lasted long enough together."""
    all_figures = []
    while not all_figures or sum(it["wall"] for it in all_figures) < at_least:
        all_figures.append(run(client, workload, width, scratch))
    mean = lambda name: statistics.fmean(it[name] for it in all_figures)
    return Sample(
        wall=mean("wall"),
        cpu=mean("user") + mean("system"),
        peak_kb=max(it["peak_kb"] for it in all_figures),
        waits=round(mean("waits")),
        preempted=round(mean("preempted")),
        runs=len(all_figures),
    )


def medians(samples):
    """What a client took, as medians over its rounds, with the spread of the wall time."""
    walls = sorted(it.wall for it in samples)
    middle = lambda name: statistics.median(getattr(it, name) for it in samples)
    return {
        "rounds": len(samples),
        "wall": middle("wall"),
        "wall_least": walls[0],
        "wall_most": walls[-1],
        "cpu": middle("cpu"),
        "peak_kb": middle("peak_kb"),
        "waits": middle("waits"),
        "preempted": middle("preempted"),
    }


def ratio(samples, others, name="wall"):
    """The median of the ratios round by round: what else the machine did cancels out."""
    if not samples or not others:
        return None
    return statistics.median(
        getattr(mine, name) / getattr(theirs, name) for mine, theirs in zip(samples, others)
    )
