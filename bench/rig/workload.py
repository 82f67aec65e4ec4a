"""What is downloaded: the same bytes on every machine, in memory."""

import dataclasses
import pathlib
import random

from rig import machine

KINDS = {
    # name: how many, smallest, largest
    "small": (8_000, 10_000, 100_000),
    "medium": (480, 300_000, 5_000_000),
    "big": (16, 46_000_000, 49_500_000),
}


@dataclasses.dataclass
class Workload:
    name: str
    count: int
    bytes: int
    list: pathlib.Path  # one address a line


class Noise:
    """Bytes that neither compress nor hold a JPEG marker: what an entropy coder would write."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.pool = self.random.randbytes(16_000_000).replace(b"\xff", b"\x7f")

    def take(self, count):
        start = self.random.randrange(len(self.pool))
        parts = []
        while count > 0:
            part = self.pool[start : start + count]
            parts.append(part)
            count -= len(part)
            start = 0
        return b"".join(parts)


def picture(head, noise, size):
    """A JPEG whose only scan is noise: its structure is sound from the first to the last byte."""
    return head + noise.take(size - len(head) - 2) + b"\xff\xd9"


def movie(fixture, noise, size):
    """A movie whose media box, which is its last, has grown."""
    box = fixture.rindex(b"mdat") - 4
    return b"".join(
        [
            fixture[:box],
            (size - box).to_bytes(4, "big"),
            fixture[box + 4 :],
            noise.take(size - len(fixture)),
        ]
    )


def jpeg_head():
    fixture = (machine.project / "fixtures/media/jpeg/valid/baseline.jpg").read_bytes()
    scan = fixture.index(b"\xff\xda")
    return fixture[: scan + 2 + int.from_bytes(fixture[scan + 2 : scan + 4], "big")]


def build(kind, root):
    """Writes the files of a kind below a root; tells their names and how many bytes they are."""
    count, smallest, largest = KINDS[kind]
    noise = Noise(kind)
    head = jpeg_head()
    fixture = (machine.project / "fixtures/media/mp4-video/valid/h264-silent.mp4").read_bytes()
    folder = root / kind
    folder.mkdir(parents=True)
    names, total = [], 0
    for index in range(count):
        size = noise.random.randint(smallest, largest)
        # Small ones are pictures; of the others every second is a movie.
        is_movie = kind != "small" and index % 2 == 1
        name = f"{kind}-{index:05}.{'mp4' if is_movie else 'jpg'}"
        make, start = (movie, fixture) if is_movie else (picture, head)
        (folder / name).write_bytes(make(start, noise, size))
        names.append(name)
        total += size
    return names, total


def served(kind, names, total, address, folder):
    """A workload whose addresses are written to a list."""
    path = folder / f"{kind}.list"
    path.write_text("".join(f"{address}/{kind}/{name}\n" for name in names))
    return Workload(kind, len(names), total, path)
