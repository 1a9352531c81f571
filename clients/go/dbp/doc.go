// Package dbp reads and writes the messages of the DONUTS Bot Protocol, as text and as msgpack.
//
// A message is a struct such as Turn or Move. Encode turns one into a line (without its LF) or a payload (without its
// length), Decode turns such bytes into one. Both hold every bound of the specification, so that what Encode returns
// is taken by every referee, and what Decode returns needs no further check of types and ranges. Nothing here knows a
// socket or the order of messages.
package dbp
