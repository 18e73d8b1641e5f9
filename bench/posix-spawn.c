/*
 * The bound: what starting N shells costs a program that forks nothing. Reads numbers, one a line; for each starts so
 * many `sh -c "true #i"` with posix_spawn and three pipes, writes 600 bytes to each, reads both outputs to their end,
 * reaps, and prints the milliseconds it took. At most so many run at a time as its argument says.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

#define MOST 256
static struct { pid_t pid; int out, err; } running[MOST];
static char event[600];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static void start(int slot, int number) {
  int in[2], out[2], err[2];
  if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC)) exit(1);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err[1], 2);
  char command[32];
  snprintf(command, sizeof command, "true #%d", number);
  char *args[] = {"/bin/sh", "-c", command, NULL};
  if (posix_spawn(&running[slot].pid, "/bin/sh", &actions, NULL, args, environ)) exit(1);
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]), close(out[1]), close(err[1]);
  if (write(in[1], event, sizeof event) < 0) {} /* it may have exited without reading */
  close(in[1]);
  running[slot].out = out[0], running[slot].err = err[0];
}

static void finish(int slot) {
  char buffer[4096];
  int status;
  while (read(running[slot].out, buffer, sizeof buffer) > 0) {}
  while (read(running[slot].err, buffer, sizeof buffer) > 0) {}
  waitpid(running[slot].pid, &status, 0);
  if (status != 0) exit(1);
  close(running[slot].out), close(running[slot].err);
}

int main(int argc, char **argv) {
  int at_a_time = argc > 1 ? atoi(argv[1]) : 8;
  if (at_a_time < 1 || at_a_time > MOST) return 1;
  signal(SIGPIPE, SIG_IGN);
  memset(event, 'x', sizeof event);
  char line[32];
  while (fgets(line, sizeof line, stdin)) {
    int count = atoi(line);
    double began = now();
    for (int i = 0; i < count + at_a_time; i++) {
      if (i >= at_a_time && i - at_a_time < count) finish((i - at_a_time) % at_a_time);
      if (i < count) start(i % at_a_time, i);
    }
    printf("%f\n", now() - began);
    fflush(stdout);
  }
}
