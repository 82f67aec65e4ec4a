"""The clients that are compared, each as a command over a list of addresses and a fresh folder."""

import dataclasses
import json
import os
import typing

from rig import machine

WIDTH = 16


@dataclasses.dataclass
class Client:
    name: str
    # From a list of addresses, a folder and a width: the command.
    command: typing.Callable
    # From the folder and the standard output: how many files and bytes came.
    count: typing.Callable
    reads_list: bool = False  # on standard input
    needs: tuple = ()  # Debian packages
    role: str = "peer"


def stored(folder, _output):
    """Counts what lies in the folder; the engine's own folder inside it counts too."""
    files, size = 0, 0
    for path, _, names in os.walk(folder):
        for name in names:
            if name != "lock":
                files += 1
                size += os.stat(os.path.join(path, name)).st_size
    return files, size


def reported(_folder, output):
    """Counts what the reports say: `check` removes its files as it goes."""
    files, size = 0, 0
    with open(output) as lines:
        for line in lines:
            report = json.loads(line)
            if report["verdict"] == "deliverable":
                files += 1
                size += report["transfer"]["received_bytes"]
    return files, size


def floor(list, folder, _width):
    return [machine.built / "floor", list, folder, 4]


def engine(list, folder, width):
    return [
        machine.built / "downloads-engine",
        *("--list", list, "--folder", folder, "--concurrency", width, "--leave", "yes"),
    ]


def check(*more):
    def command(_list, _folder, width):
        return [
            machine.project / ".build/release/affix",
            *("check", "--no-preview", "--quick", "--json", "--allow-private-addresses"),
            *("--concurrency", width, "--per-host", width, *more, "-"),
        ]

    return command


def curl(list, folder, width):
    """curl wants a place for each address: they stand in a file of options beside the list."""
    options = list.with_suffix(".curl")
    if not options.exists():
        addresses = list.read_text().split()
        options.write_text("".join(f'url = "{it}"\nremote-name\n' for it in addresses))
    return [
        *("curl", "--disable", "--no-progress-meter", "--fail", "--parallel"),
        *("--parallel-immediate", "--parallel-max", width, "--output-dir", folder),
        *("--config", options),
    ]


def wget2(list, folder, _width):
    return [
        *("wget2", "--no-config", "--quiet", "--no-hsts", "--no-hpkp", "--no-ocsp"),
        "--max-threads=4",
        *("--directory-prefix", folder, "--input-file", list),
    ]


def aria2c(list, folder, width):
    return [
        *("aria2c", "--no-conf", "--quiet", "--file-allocation=none", "--max-concurrent-downloads"),
        *(width, "--split=1", "--max-connection-per-server=1", "--dir", folder),
        *("--input-file", list),
    ]


def urlsession(list, folder, width):
    return [machine.built / "downloads-urlsession", list, folder, width]


ALL = [
    Client("floor", floor, stored, role="floor"),
    Client("engine", engine, stored, role="affix"),
    Client("check", check(), reported, reads_list=True, role="affix"),
    Client("check-sha256", check("--sha256"), reported, reads_list=True, role="affix"),
    Client("curl", curl, stored, needs=("curl",)),
    Client("wget2", wget2, stored, needs=("wget2",)),
    Client("aria2c", aria2c, stored, needs=("aria2",)),
    Client("urlsession", urlsession, stored),
]
