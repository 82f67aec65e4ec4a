// Runs a command and tells what it took, as one JSON object in a file.
//
//     measure RESULT COMMAND...
//
// A program of its own since a process's peak memory starts with that of whoever started it, and
// an interpreter is larger than some of the clients that are measured.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval time) { return time.tv_sec + time.tv_usec / 1e6; }

int main(int count, char **words) {
  if (count < 3) return 64;
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  pid_t child = fork();
  if (child == 0) {
    execvp(words[2], words + 2);
    perror(words[2]);
    _exit(127);
  }
  int status;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) < 0) return 71;
  clock_gettime(CLOCK_MONOTONIC, &end);

  FILE *result = fopen(words[1], "w");
  if (!result) return 73;
  fprintf(result,
          "{\"status\":%d,\"wall\":%.6f,\"user\":%.6f,\"system\":%.6f,\"peak_kb\":%ld,"
          "\"waits\":%ld,\"preempted\":%ld}\n",
          WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          end.tv_sec - start.tv_sec + (end.tv_nsec - start.tv_nsec) / 1e9, seconds(usage.ru_utime),
          seconds(usage.ru_stime), usage.ru_maxrss, usage.ru_nvcsw, usage.ru_nivcsw);
  return fclose(result) ? 73 : 0;
}
