/*
 * Loaded into the program with LD_PRELOAD, it kills or interrupts the program right before a chosen call, or writes down
 * the calls of the main thread.
 *
 * COX_SHIM_CALL is NAME:NUMBER:THREAD:SIGNAL; the calls of a name are counted by each thread for itself, as strace does,
 * THREAD is "main" or "any", and SIGNAL is "KILL" or "INT". COX_SHIM_RECORD is the file for the names. Besides system calls
 * there is "exit", when the program has come to the end of its own code.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static pid_t armed;
static int record = -1;
static char wanted[32];
static long number;
static int any;
static int sent = SIGKILL;
static __thread long count;

__attribute__((constructor)) static void arm(void) {
  const char *call = getenv("COX_SHIM_CALL");
  const char *path = getenv("COX_SHIM_RECORD");
  const char *colon = call ? strchr(call, ':') : NULL;
  if (colon && (size_t)(colon - call) < sizeof wanted) {
    memcpy(wanted, call, colon - call);
    number = strtol(colon + 1, NULL, 10);
    any = strstr(colon, ":any") != NULL;
    if (strstr(colon, ":INT")) sent = SIGINT;
  }
  if (path) {
    int fd = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    record = fcntl(fd, F_DUPFD_CLOEXEC, 200);
    syscall(SYS_close, fd);
  }
  /* The programs that the program starts are none of our business. */
  unsetenv("LD_PRELOAD");
  armed = getpid();
}

static void called(const char *name) {
  if (armed == 0 || getpid() != armed) return;
  int main_thread = syscall(SYS_gettid) == armed;
  if (record >= 0 && main_thread) {
    char line[40];
    size_t length = strlen(name);
    memcpy(line, name, length);
    line[length] = '\n';
    syscall(SYS_write, record, line, length + 1);
  }
  if (strcmp(name, wanted) == 0 && ++count == number && (any || main_thread)) {
    syscall(SYS_kill, armed, sent);
    while (sent == SIGKILL) pause();
  }
}

__attribute__((destructor)) static void end(void) { called("exit"); }

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FORWARD(type, name, label, parameters, arguments) \
  type name parameters {                                  \
    called(label);                                        \
    return REAL(name) arguments;                          \
  }
#define FORWARD_OPEN(name)                                \
  int name(const char *path, int flags, ...) {            \
    va_list rest;                                         \
    va_start(rest, flags);                                \
    mode_t mode = va_arg(rest, mode_t);                   \
    va_end(rest);                                         \
    called("openat");                                     \
    return REAL(name)(path, flags, mode);                 \
  }

FORWARD_OPEN(open)
FORWARD_OPEN(open64)
/* Threads wake each other by writing to an event descriptor, how often depends on timing: those calls are not counted. */
static int wakes_thread(int fd) {
  struct stat found;
  return fstat(fd, &found) == 0 && (found.st_mode & S_IFMT) == 0;
}

ssize_t write(int fd, const void *bytes, size_t size) {
  if (!wakes_thread(fd)) called("write");
  return REAL(write)(fd, bytes, size);
}

FORWARD(ssize_t, writev, "writev", (int fd, const struct iovec *parts, int many), (fd, parts, many))
FORWARD(ssize_t, pwrite64, "pwrite64", (int fd, const void *b, size_t size, off64_t at), (fd, b, size, at))
FORWARD(int, close, "close", (int fd), (fd))
FORWARD(int, fsync, "fsync", (int fd), (fd))
FORWARD(int, fdatasync, "fdatasync", (int fd), (fd))
FORWARD(int, fchmod, "fchmod", (int fd, mode_t mode), (fd, mode))
FORWARD(int, ftruncate, "ftruncate", (int fd, off_t size), (fd, size))
FORWARD(int, ftruncate64, "ftruncate", (int fd, off64_t size), (fd, size))
FORWARD(int, mkdir, "mkdir", (const char *path, mode_t mode), (path, mode))
FORWARD(int, rmdir, "rmdir", (const char *path), (path))
FORWARD(int, unlink, "unlink", (const char *path), (path))
FORWARD(int, link, "link", (const char *from, const char *to), (from, to))
FORWARD(int, rename, "rename", (const char *from, const char *to), (from, to))
