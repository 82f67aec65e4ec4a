// The least that a download costs: keep-alive sockets in a few threads, read and write, nothing
// else. It trusts the origin: HTTP/1.1, a Content-Length, 200.
//
//     floor LIST FOLDER THREADS
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BUFFER = 256 * 1024 };

struct address {
  char host[64];
  int port;
  const char *path;
};

static struct address *addresses;
static size_t address_count;
static atomic_size_t next_address;
static int folder;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void read_list(const char *name) {
  FILE *file = fopen(name, "r");
  if (!file) fail(name);
  size_t room = 0, size = 0;
  char *line = NULL;
  while (getline(&line, &size, file) > 0) {
    line[strcspn(line, "\n")] = 0;
    if (address_count == room) {
      room = room ? room * 2 : 1024;
      addresses = realloc(addresses, room * sizeof *addresses);
      if (!addresses) fail("realloc");
    }
    struct address *address = &addresses[address_count++];
    int used = 0;
    if (sscanf(line, "http://%63[^:]:%d%n", address->host, &address->port, &used) != 2) {
      fprintf(stderr, "%s: write http://ADDRESS:PORT/PATH\n", line);
      exit(64);
    }
    address->path = strdup(line + used);
  }
  free(line);
  fclose(file);
}

static int connect_to(const struct address *address) {
  struct sockaddr_in peer = {.sin_family = AF_INET, .sin_port = htons(address->port)};
  inet_pton(AF_INET, address->host, &peer.sin_addr);
  int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection < 0 || connect(connection, (struct sockaddr *)&peer, sizeof peer)) fail("connect");
  int yes = 1;
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return connection;
}

static void write_all(int file, const char *bytes, size_t count) {
  while (count) {
    ssize_t written = write(file, bytes, count);
    if (written <= 0) fail("write");
    bytes += written;
    count -= written;
  }
}

static void fetch(int connection, const struct address *address, char *buffer) {
  int length = snprintf(buffer, BUFFER, "GET %s HTTP/1.1\r\nHost: %s:%d\r\n\r\n", address->path,
                        address->host, address->port);
  write_all(connection, buffer, length);

  size_t have = 0;
  char *end = NULL;
  while (!end) {
    ssize_t count = read(connection, buffer + have, BUFFER - 1 - have);
    if (count <= 0) fail("read");
    have += count;
    buffer[have] = 0;
    end = memmem(buffer, have, "\r\n\r\n", 4);
  }
  end += 4;
  char *field = strcasestr(buffer, "content-length:");
  if (strncmp(buffer, "HTTP/1.1 200", 12) || !field || field > end) {
    fprintf(stderr, "%s: no 200 with a length\n", address->path);
    exit(1);
  }
  long left = strtol(field + 15, NULL, 10);

  int file = openat(folder, strrchr(address->path, '/') + 1, O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (file < 0) fail(address->path);
  write_all(file, end, have - (end - buffer));
  left -= have - (end - buffer);
  while (left > 0) {
    ssize_t count = read(connection, buffer, left < BUFFER ? left : BUFFER);
    if (count <= 0) fail("read");
    write_all(file, buffer, count);
    left -= count;
  }
  close(file);
}

static void *work(void *unused) {
  char *buffer = malloc(BUFFER);
  int connection = -1;
  size_t index;
  while ((index = atomic_fetch_add(&next_address, 1)) < address_count) {
    if (connection < 0) connection = connect_to(&addresses[index]);
    fetch(connection, &addresses[index], buffer);
  }
  if (connection >= 0) close(connection);
  free(buffer);
  return unused;
}

int main(int count, char **words) {
  if (count != 4) {
    fprintf(stderr, "write: floor LIST FOLDER THREADS\n");
    return 64;
  }
  read_list(words[1]);
  folder = open(words[2], O_RDONLY | O_DIRECTORY);
  if (folder < 0) fail(words[2]);
  int threads = atoi(words[3]);
  pthread_t running[64];
  if (threads < 1 || threads > 64) return 64;
  for (int index = 0; index < threads; index++)
    if (pthread_create(&running[index], NULL, work, NULL)) fail("pthread_create");
  for (int index = 0; index < threads; index++) pthread_join(running[index], NULL);
  return 0;
}
