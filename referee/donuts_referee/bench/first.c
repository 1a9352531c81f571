/* A bot that plays the first legal square: as little work as a bot can do, so that what is measured is the referee.
   It reads as much as is there, keeps an unfinished line, and answers each message with one write. */
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

static char held[65536];

static int say(const char *text, size_t size) {
  while (size > 0) {
    ssize_t written = write(1, text, size);
    if (written <= 0) return 0;
    text += written;
    size -= (size_t)written;
  }
  return 1;
}

/* Appends the message's second word (its id) to `answer`; returns where the answer then ends. */
static char *with_id(char *answer, const char *line, const char *end) {
  const char *id = memchr(line, ' ', (size_t)(end - line));
  if (id == NULL) return answer;
  for (id++; id < end && *id != ' ' && *id != '\r'; id++) *answer++ = *id;
  return answer;
}

static int hear(const char *line, const char *end) {
  char answer[64] = "move ";
  char *out = answer;
  if (end - line > 5 && memcmp(line, "turn ", 5) == 0) {
    const char *legal = memmem(line, (size_t)(end - line), " legal=", 7);
    if (legal == NULL || legal + 9 > end) return 0;
    out = with_id(answer + 5, line, end);
    *out++ = ' ';
    *out++ = legal[7];
    *out++ = legal[8];
  } else if (end - line > 5 && memcmp(line, "game ", 5) == 0) {
    memcpy(answer, "ready ", 6);
    out = with_id(answer + 6, line, end);
  } else if (end - line > 5 && memcmp(line, "ping ", 5) == 0) {
    memcpy(answer, "pong ", 5);
    out = with_id(answer + 5, line, end);
  } else {
    return !(end - line >= 3 && memcmp(line, "bye", 3) == 0);
  }
  *out++ = '\n';
  return say(answer, (size_t)(out - answer));
}

int main(void) {
  static const char hello[] = "hello donuts=1-1 name=first\n";
  size_t filled = 0;
  if (!say(hello, sizeof hello - 1)) return 1;
  for (;;) {
    ssize_t got = read(0, held + filled, sizeof held - filled);
    char *line = held, *end, *stop;
    if (got <= 0) return 0;
    filled += (size_t)got;
    stop = held + filled;
    while ((end = memchr(line, '\n', (size_t)(stop - line))) != NULL) {
      if (!hear(line, end)) return 0;
      line = end + 1;
    }
    filled = (size_t)(stop - line);
    if (filled == sizeof held) return 1;
    memmove(held, line, filled);
  }
}
