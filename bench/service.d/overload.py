"""Asks at a steady rate, whatever is answered, and tells how that went, as a line of JSON.

    overload.py PORT RATE SECONDS ORIGIN PICTURE...

An open loop: a request goes out when its time has come, over a connection that is idle or a new
one, and its time counts from there. The first two seconds, in which the line fills, do not count."""

import asyncio
import json
import sys
import time

port, rate, seconds, origin = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
pictures = sys.argv[5:]
FILLING = 2.0
idle, outcomes = [], []


def request(number):
    address = f"{origin}/{pictures[number % len(pictures)]}?overload={number}"
    body = json.dumps({"url": address, "preview": {"size": 800}})
    return (
        f"POST /v1/attachments HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


async def ask(number, due):
    status = 0
    try:
        if idle:
            reader, writer = idle.pop()
        else:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request(number))
        head = await reader.readuntil(b"\r\n\r\n")
        lines = head.decode("latin-1").lower().split("\r\n")
        lengths = [line.split(":")[1] for line in lines if line.startswith("content-length:")]
        await reader.readexactly(int(lengths[0]))
        status = int(lines[0].split()[1])
        idle.append((reader, writer))
    except (OSError, asyncio.IncompleteReadError, IndexError, ValueError):
        pass
    outcomes.append((status, due, time.monotonic() - due, time.monotonic()))


async def main():
    start, tasks, number = time.monotonic(), set(), 0
    end = start + FILLING + seconds
    while (now := time.monotonic()) < end:
        while (due := start + number / rate) <= now:
            task = asyncio.create_task(ask(number, due))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
            number += 1
        await asyncio.sleep(max(0, due - time.monotonic()))
    for task in list(tasks):
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    since = start + FILLING
    good = sum(status == 200 and since <= ended <= end for status, _, _, ended in outcomes)
    refusals = sorted(
        spent for status, due, spent, _ in outcomes if status == 429 and since <= due
    )
    at = lambda share: refusals[min(len(refusals) - 1, int(share * len(refusals)))] * 1e3
    print(
        json.dumps(
            {
                "offered": rate,
                "rate": good / seconds,
                "refused": len(refusals) / seconds,
                "refused_p50_ms": at(0.5) if refusals else None,
                "refused_p99_ms": at(0.99) if refusals else None,
                "refused_worst_ms": refusals[-1] * 1e3 if refusals else None,
                "broken": sum(status not in (200, 429) for status, _, _, _ in outcomes),
            }
        )
    )


asyncio.run(main())
