/* Reads lines from the standard input, and can tell whether one has come without waiting for it. */
#ifndef LINES_H
#define LINES_H

/* The next line without its line end, good until the next call; NULL when the referee is gone. Lines that are longer
 * than any message are skipped. */
char *next_line(void);

/* The next line if it has come, which `next_line` will return again; "" if none has; NULL when the referee is gone. */
const char *peek_line(void);

#endif
