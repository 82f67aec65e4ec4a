// A small HTTP origin that misbehaves as the path says, to the millisecond. One thread, epoll.
//
//     origin            prints its port on 127.0.0.1, then serves until it is killed
//
//     /after/MS/BYTES   waits before the whole answer
//     /never            reads the request and is silent
//     /stall/BYTES      sends so many bytes at once, then no more, short of its Content-Length
//     /drip/BYTES/MS    20,000 bytes at once, then BYTES every MS, without end
//     /cut/BYTES        closes after so many bytes, short of its Content-Length
//     /reset/BYTES      the same, with a reset
//     /loop/N           redirects to /loop/N+1
//     anything else     404
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS = 16384, REQUEST = 4096, BODY = 1 << 20 };

enum ending { KEEP, CLOSE, RESET, SILENCE };

struct connection {
  char request[REQUEST];
  size_t have;
  // When to act next, in nanoseconds; 0 for never.
  long long due;
  // What is being sent: a head, then body bytes.
  char head[512];
  size_t head_left, head_done;
  long body_left;
  enum ending ending;
  // A drip: so many bytes every so often.
  long drip_bytes;
  long long drip_interval;
  int is_open, is_answering, wants_write;
};

static struct connection *connections[CONNECTIONS];
static int highest;
static int poller;
static char body[BODY];

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void watch(int descriptor, int wants_write) {
  struct connection *it = connections[descriptor];
  if (it->wants_write == wants_write) return;
  it->wants_write = wants_write;
  struct epoll_event event = {.events = EPOLLIN | (wants_write ? EPOLLOUT : 0),
                              .data.fd = descriptor};
  epoll_ctl(poller, EPOLL_CTL_MOD, descriptor, &event);
}

static void drop(int descriptor, int with_reset) {
  if (with_reset) {
    struct linger linger = {.l_onoff = 1, .l_linger = 0};
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
  }
  close(descriptor);
  connections[descriptor]->is_open = 0;
}

static void advance(int descriptor);

static void answer(struct connection *it, int status, const char *fields, long length, long send,
                   enum ending ending) {
  it->head_left = snprintf(it->head, sizeof it->head,
                           "HTTP/1.1 %d X\r\nContent-Type: image/jpeg\r\nContent-Length: %ld\r\n"
                           "%s\r\n",
                           status, length, fields);
  it->head_done = 0;
  it->body_left = send;
  it->ending = ending;
}

// Reads one request from the buffer and decides what becomes of it.
static void take_request(int descriptor) {
  struct connection *it = connections[descriptor];
  char *end = memmem(it->request, it->have, "\r\n\r\n", 4);
  if (!end || it->is_answering) return;
  *end = 0;
  long first = 0, second = 0;
  char field[64];
  it->is_answering = 1;
  it->due = 0;
  it->drip_bytes = 0;
  if (sscanf(it->request, "GET /after/%ld/%ld", &first, &second) == 2) {
    answer(it, 200, "", second, second, KEEP);
    it->due = now() + first * 1000000LL;
  } else if (!strncmp(it->request, "GET /never", 10)) {
    it->head_left = 0;
    it->body_left = 0;
    it->ending = SILENCE;
  } else if (sscanf(it->request, "GET /stall/%ld", &first) == 1) {
    answer(it, 200, "", first + 1000000, first, SILENCE);
  } else if (sscanf(it->request, "GET /drip/%ld/%ld", &first, &second) == 2) {
    answer(it, 200, "", 40000000, 20000, SILENCE);
    it->drip_bytes = first;
    it->drip_interval = second * 1000000LL;
  } else if (sscanf(it->request, "GET /cut/%ld", &first) == 1) {
    answer(it, 200, "", first * 2, first, CLOSE);
  } else if (sscanf(it->request, "GET /reset/%ld", &first) == 1) {
    answer(it, 200, "", first * 2, first, RESET);
  } else if (sscanf(it->request, "GET /loop/%ld", &first) == 1) {
    snprintf(field, sizeof field, "Location: /loop/%ld\r\n", first + 1);
    answer(it, 302, field, 0, 0, KEEP);
  } else {
    answer(it, 404, "", 0, 0, KEEP);
  }
  size_t used = end + 4 - it->request;
  memmove(it->request, it->request + used, it->have - used);
  it->have -= used;
  if (!it->due) advance(descriptor);
}

// Sends what there is to send; at the end does what was decided.
static void advance(int descriptor) {
  struct connection *it = connections[descriptor];
  while (it->head_left || it->body_left) {
    long long sent;
    if (it->head_left) {
      // More follows at once, so that head and body share a segment.
      int more = it->body_left ? MSG_MORE : 0;
      sent = send(descriptor, it->head + it->head_done, it->head_left, MSG_NOSIGNAL | more);
    } else {
      long count = it->body_left < BODY ? it->body_left : BODY;
      sent = send(descriptor, body, count, MSG_NOSIGNAL);
    }
    if (sent < 0) {
      if (errno == EAGAIN) return watch(descriptor, 1);
      return drop(descriptor, 0);
    }
    if (it->head_left) {
      it->head_left -= sent;
      it->head_done += sent;
    } else {
      it->body_left -= sent;
    }
  }
  watch(descriptor, 0);
  if (it->drip_bytes) {
    it->due = (it->due ? it->due : now()) + it->drip_interval;
    return;
  }
  switch (it->ending) {
  case KEEP:
    it->is_answering = 0;
    return take_request(descriptor);
  case CLOSE:
    return drop(descriptor, 0);
  case RESET:
    return drop(descriptor, 1);
  case SILENCE:
    return;
  }
}

static void receive(int descriptor) {
  struct connection *it = connections[descriptor];
  ssize_t count = read(descriptor, it->request + it->have, REQUEST - 1 - it->have);
  if (count < 0 && errno == EAGAIN) return;
  if (count <= 0) return drop(descriptor, 0);
  it->have += count;
  take_request(descriptor);
}

static void welcome(int listener) {
  while (1) {
    int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0) return;
    if (descriptor >= CONNECTIONS) {
      close(descriptor);
      continue;
    }
    int yes = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    struct connection *it = connections[descriptor];
    if (!it) it = connections[descriptor] = malloc(sizeof *it);
    if (!it) exit(71);
    memset(it, 0, sizeof *it);
    it->is_open = 1;
    if (descriptor > highest) highest = descriptor;
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event);
  }
}

// Does what is due, and tells how long to wait for what comes next.
static struct timespec *act(struct timespec *wait) {
  long long soonest = 0, time = now();
  for (int descriptor = 0; descriptor <= highest; descriptor++) {
    struct connection *it = connections[descriptor];
    if (!it || !it->is_open || !it->due) continue;
    if (it->due <= time) {
      if (it->drip_bytes) {
        it->body_left += it->drip_bytes;
      } else {
        it->due = 0;
      }
      advance(descriptor);
    }
    if (it->is_open && it->due && (!soonest || it->due < soonest)) soonest = it->due;
  }
  if (!soonest) return NULL;
  long long left = soonest - now();
  if (left < 0) left = 0;
  wait->tv_sec = left / 1000000000LL;
  wait->tv_nsec = left % 1000000000LL;
  return wait;
}

int main(void) {
  // Goes with whoever started it, however that ends.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  body[0] = (char)0xFF, body[1] = (char)0xD8, body[2] = (char)0xFF, body[3] = (char)0xE0;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  struct sockaddr_in local = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof local;
  if (bind(listener, (struct sockaddr *)&local, size) || listen(listener, 4096) ||
      getsockname(listener, (struct sockaddr *)&local, &size)) {
    perror("listen");
    return 71;
  }
  poller = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
  epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
  printf("%d\n", ntohs(local.sin_port));
  fflush(stdout);

  struct epoll_event events[256];
  struct timespec wait;
  while (1) {
    int count = epoll_pwait2(poller, events, 256, act(&wait), NULL);
    for (int index = 0; index < count; index++) {
      int descriptor = events[index].data.fd;
      if (descriptor == listener) {
        welcome(listener);
      } else if (connections[descriptor]->is_open) {
        if (events[index].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) receive(descriptor);
        if (connections[descriptor]->is_open && events[index].events & EPOLLOUT)
          advance(descriptor);
      }
    }
  }
}
