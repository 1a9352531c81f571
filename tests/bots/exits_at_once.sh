#!/bin/sh
# Complains and ends before it has said hello: `start`, and the report quotes it.
echo "weights.bin: no such file" >&2
exit 7
