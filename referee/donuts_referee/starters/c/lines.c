#define _POSIX_C_SOURCE 200809L /* for poll */
#include "lines.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* stdio would hide what it has read already from `poll`, so there is a buffer of our own: what was read and not yet
 * returned stands in buffer[begin..end). No message is longer than 4096 bytes. */
static char buffer[2 * 4096];
static size_t begin, end;
static int skipping; /* in the middle of a line that is too long */
static int gone;     /* there will be no more */

/* The end of the first line that is there in full; NULL: none is. */
static char *line_end(void) {
    for (;;) {
        char *found = memchr(buffer + begin, '\n', end - begin);
        if (!found || !skipping) return found;
        begin = (size_t)(found + 1 - buffer);
        skipping = 0;
    }
}

/* Reads more; waits for it where `timeout` is -1. */
static void fill(int timeout) {
    struct pollfd input = {0, POLLIN, 0};
    ssize_t count;
    if (gone || poll(&input, 1, timeout) <= 0) return;
    memmove(buffer, buffer + begin, end - begin);
    end -= begin;
    begin = 0;
    if (end == sizeof buffer || skipping) {
        skipping = 1;
        end = 0;
    }
    count = read(0, buffer + end, sizeof buffer - end);
    if (count > 0) end += (size_t)count;
    if (count == 0 || (count < 0 && errno != EINTR)) gone = 1;
}

char *next_line(void) {
    char *found, *line;
    while (!(found = line_end())) {
        if (gone) return NULL;
        fill(-1);
    }
    *found = '\0';
    line = buffer + begin;
    begin = (size_t)(found + 1 - buffer);
    return line;
}

const char *peek_line(void) {
    if (!line_end()) fill(0);
    if (line_end()) return buffer + begin;
    return gone ? NULL : "";
}
