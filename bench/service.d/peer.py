"""A small image service as many have one: aiohttp fetches, pyvips makes the preview.

    peer.py PORT

GET /?url=ADDRESS answers with a JPEG of at most 800 x 800. Run two processes on one port."""

import asyncio
import concurrent.futures
import sys

import aiohttp
import pyvips
from aiohttp import web

pyvips.cache_set_max(0)
threads = concurrent.futures.ThreadPoolExecutor(1)


def preview(data):
    image = pyvips.Image.thumbnail_buffer(data, 800, height=800, size="down")
    return image.jpegsave_buffer(Q=75, strip=True)


async def answer(request):
    async with request.app["session"].get(request.query["url"]) as source:
        data = await source.read()
    loop = asyncio.get_running_loop()
    picture = await loop.run_in_executor(threads, preview, data)
    return web.Response(body=picture, content_type="image/jpeg")


async def session(app):
    async with aiohttp.ClientSession() as app["session"]:
        yield


app = web.Application()
app.cleanup_ctx.append(session)
app.router.add_get("/", answer)
web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), reuse_port=True, print=None)
