"""Tables for people, and the same figures as JSON for programs."""

import json
import time

from rig import machine


def show(head, rows):
    """Prints columns: the first to the left, figures to the right."""
    cells = [[str(cell) for cell in row] for row in (head, *rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for row in cells:
        first, rest = row[0].ljust(widths[0]), zip(row[1:], widths[1:])
        print("  ".join([first, *(cell.rjust(width) for cell, width in rest)]).rstrip())
    print(flush=True)


def times(value):
    return "-" if value is None else f"{value:.2f}"


def keep(name, figures):
    """Writes the figures below `bench/results`."""
    machine.results.mkdir(exist_ok=True)
    stamp = time.strftime("%Y%m%dT%H%M%S")
    path = machine.results / f"{name}-{stamp}.json"
    path.write_text(json.dumps(figures, indent=2) + "\n")
    machine.say(f"figures: {path.relative_to(machine.project)}")
