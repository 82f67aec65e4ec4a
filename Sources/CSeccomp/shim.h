#pragma once
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <seccomp.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

// prctl takes variadic arguments, which Swift cannot pass.
static inline int affix_prctl(int option, unsigned long value) {
  return prctl(option, value, 0UL, 0UL, 0UL);
}

// GNU extensions, which the headers hide here: to ask for them would give this module another view
// of their types than Swift's own module of the C library has.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
extern const char *sigabbrev_np(int number);
extern int pthread_setattr_default_np(const pthread_attr_t *attributes);
extern int memfd_create(const char *name, unsigned int flags);

static inline int affix_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

static inline const char *affix_signal_name(int number) {
  return sigabbrev_np(number);
}

static inline int affix_memory_file(const char *name) {
  return memfd_create(name, 1U /* MFD_CLOEXEC */);
}

static inline int affix_set_stack_size(size_t size) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  int problem = pthread_attr_setstacksize(&attributes, size);
  if (problem == 0) problem = pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
  return problem;
}

// SCMP_ACT_ERRNO is a macro with an argument.
static inline uint32_t affix_seccomp_errno(uint16_t number) {
  return SCMP_ACT_ERRNO(number);
}

// The CMSG_ macros, with which a descriptor travels beside bytes, are macros with arguments. These
// send and receive bytes with at most one descriptor. -1 is none.

static inline ssize_t affix_send(int socket, const void *bytes, size_t count, int descriptor) {
  struct iovec part = {(void *)bytes, count};
  struct msghdr message = {0};
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (descriptor >= 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = control.room;
    message.msg_controllen = sizeof control.room;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

static inline ssize_t affix_receive(int socket, void *bytes, size_t count, int *descriptor) {
  struct iovec part = {bytes, count};
  struct msghdr message = {0};
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.room;
  message.msg_controllen = sizeof control.room;
  *descriptor = -1;
  ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (received <= 0) return received;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
      memcpy(descriptor, CMSG_DATA(header), sizeof(int));
  }
  return received;
}
