"""Runs a driver of this package over a scratch folder in memory."""

import contextlib
import json
import pathlib
import shutil
import subprocess
import tempfile

from rig import machine


@contextlib.contextmanager
def scratch():
    """A folder in memory that goes when this is over, however it ends."""
    folder = tempfile.mkdtemp(prefix="affix-bench-", dir="/dev/shm")
    try:
        yield pathlib.Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def drive(name, folder, **options):
    """Runs a driver to its end; gives the JSON objects that it printed, and its exit status."""
    work = folder / name
    work.mkdir(exist_ok=True)
    command = [machine.built / name, "--folder", work]
    for option, value in options.items():
        if value is not None:
            command += [f"--{option.replace('_', '-')}", value]
    done = subprocess.run(
        [str(word) for word in command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        env=machine.clean_environment(folder),
    )
    objects = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode and not objects:
        machine.stop(f"{name} ended with {done.returncode}")
    return objects, done.returncode
