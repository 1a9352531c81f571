"""DBP, the DONUTS bot protocol, without a socket, a clock, a process or a file."""
