"""The origins that are downloaded from: nginx on loopback, and one of our own that misbehaves."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time

from rig import machine

CONFIGURATION = """
daemon off;
{user}
worker_processes {workers};
pid {folder}/pid;
error_log {folder}/errors crit;
worker_rlimit_nofile 65536;
events {{ worker_connections 8192; }}
http {{
  access_log off;
  default_type application/octet-stream;
  types {{ image/jpeg jpg; video/mp4 mp4; }}
  sendfile on;
  tcp_nopush on;
  keepalive_timeout 65s;
  keepalive_requests 100000000;
  open_file_cache max=20000 inactive=600s;
  open_file_cache_valid 600s;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    root {root};
    {extra}
  }}
}}
"""


def free_port():
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return it.getsockname()[1]


def end(process):
    """Ends a process that was started here, and waits for it."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def nginx(root, folder, extra="", tls=False):
    """Serves a folder; gives the address it is reached at, without a slash at its end."""
    folder = folder / f"nginx-{free_port()}"
    folder.mkdir()
    port = free_port()
    listen = f"{port} ssl" if tls else port
    text = CONFIGURATION.format(
        # As root, the workers would become a user that may not read the folder.
        user="user root;" if os.geteuid() == 0 else "",
        workers=os.cpu_count(),
        folder=folder,
        root=root,
        extra=extra,
        port=port,
    )
    if tls:
        text = text.replace(f":{port} ", f":{listen} ")
    (folder / "configuration").write_text(text)
    # A group of its own: Ctrl-C reaches this script only, which then ends it in order.
    process = subprocess.Popen(
        ["nginx", "-p", folder, "-e", folder / "errors", "-c", folder / "configuration"],
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    try:
        wait_until_open(process, port, folder)
        yield f"{'https' if tls else 'http'}://127.0.0.1:{port}"
    finally:
        end(process)
        shutil.rmtree(folder, ignore_errors=True)


def wait_until_open(process, port, folder):
    for _ in range(200):
        with socket.socket() as it:
            if it.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None:
            break
        time.sleep(0.02)
    errors = folder / "errors"
    machine.stop(f"nginx does not start: {errors.read_text() if errors.exists() else ''}", 70)


@contextlib.contextmanager
def misbehaving():
    """Starts the origin of our own; gives its address."""
    process = subprocess.Popen(
        [machine.built / "origin"],
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        port = int(process.stdout.readline())
        yield f"http://127.0.0.1:{port}"
    finally:
        end(process)
        process.stdout.close()
