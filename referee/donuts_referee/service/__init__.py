"""The rules as a service: a profile of DBP without handshake, for programs in any language (SPEC.md, 13)."""
