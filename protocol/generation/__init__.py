"""What SPEC.md, schema/ and vectors/ hold by way of tables and bytes, made from the code by `protocol/generate.py`."""
