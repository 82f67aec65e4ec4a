"""The machine: its packages, the builds, the processes that were started, and how busy it is."""

import os
import pathlib
import signal
import subprocess
import sys

bench = pathlib.Path(__file__).resolve().parent.parent
project = bench.parent
built = bench / ".build" / "release"
results = bench / "results"


def say(message):
    print(f"bench: {message}", file=sys.stderr, flush=True)


def stop(message, status=1):
    say(message)
    raise SystemExit(status)


def prepare(*packages):
    """Installs what is missing, with the daemons kept from starting."""
    names = " ".join(("gcc", *packages))
    script = f'. "{project}/scripts/prepare"; prepare {names}'
    if subprocess.run(["bash", "-euo", "pipefail", "-c", script]).returncode:
        raise SystemExit(69)
    # Every terminating signal unwinds like Ctrl-C, so that what was started is stopped.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(143))


def run(command, **options):
    """Runs a command to its end; gives what it printed, and stops where it failed."""
    done = subprocess.run([str(it) for it in command], capture_output=True, text=True, **options)
    if done.returncode:
        stop(f"{command[0]}: {done.stderr[-2000:]}", 70)
    return done.stdout


def build(*products):
    """Builds drivers of this package, and the C programs."""
    for product in products:
        swift_build(bench, product)
    built.mkdir(parents=True, exist_ok=True)
    for source in ("floor/floor.c", "origin/origin.c", "rig/measure.c"):
        target = built / pathlib.Path(source).stem
        if target.exists() and target.stat().st_mtime > (bench / source).stat().st_mtime:
            continue
        command = ["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-pthread", "-o", target]
        if subprocess.run([*command, bench / source]).returncode:
            raise SystemExit(70)


def build_affix():
    swift_build(project, "affix")
    return project / ".build" / "release" / "affix"


def swift_build(package, product):
    say(f"building {product}")
    done = subprocess.run(
        ["swift", "build", "--package-path", package, "--configuration", "release"]
        + ["--product", product]
        # As scripts/affix builds; URLSession's static library wants a libcurl of its own.
        + ([] if "urlsession" in product else ["--static-swift-stdlib"]),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        print(done.stdout, file=sys.stderr)
        stop(f"{product} cannot be built", 70)


def description():
    """What the figures were measured on."""
    with open("/proc/cpuinfo") as file:
        models = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    return {
        "cores": os.cpu_count(),
        "processor": models[0] if models else "unknown",
        "kernel": os.uname().release,
        "load_before": load(),
    }


def load():
    """How many processes wanted a core, over the last minute."""
    return round(os.getloadavg()[0], 2)


def clean_environment(folder):
    """No proxies, no settings of whoever runs this."""
    return {"PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder), "LC_ALL": "C"}
