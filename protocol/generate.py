"""Write what is generated from the code: the tables of SPEC.md, schema/ and vectors/; `--check` only compares.

.venv/bin/python protocol/generate.py [--check]

With `--check` nothing is written; every file that differs from what the code would write is named, and the exit
status is 1 if there is one.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "engine")]  # also from a checkout that is not installed

from generation.schemas import schema_files  # noqa: E402
from generation.tables import Drift, rewritten  # noqa: E402
from generation.vectors import vector_files  # noqa: E402


def generated() -> dict[Path, str]:
    """Every generated file with its content; Drift if SPEC.md lacks a marker or a key has two meanings."""
    spec = HERE / "SPEC.md"
    files = {spec: rewritten(spec.read_text(encoding="utf-8"))}
    files |= {HERE / "schema" / name: text for name, text in schema_files().items()}
    files |= {HERE / "vectors" / name: text for name, text in vector_files().items()}
    return files


def drifted(files: dict[Path, str]) -> list[Path]:
    """The files that differ from what they should be, lie there without a reason, or are missing."""
    wrong = [path for path, text in files.items() if not path.is_file() or path.read_bytes() != text.encode()]
    lying = [*(HERE / "schema").rglob("*.json"), *(HERE / "vectors").glob("*.jsonl")]
    return wrong + sorted(path for path in lying if path not in files)


def main(arguments: list[str]) -> int:
    """Exit status: 0 in order, 1 drift, 2 usage."""
    if arguments not in ([], ["--check"]):
        print("usage: generate.py [--check]", file=sys.stderr)
        return 2
    try:
        files = generated()
    except Drift as fault:
        print(fault, file=sys.stderr)
        return 1
    wrong = drifted(files)
    if arguments:
        for path in wrong:
            print(f"{path.relative_to(HERE.parent)} is not what protocol/generate.py writes", file=sys.stderr)
        return int(bool(wrong))
    for path in wrong:
        if path in files:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(files[path].encode())
        else:
            path.unlink()
        print(path.relative_to(HERE.parent))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
