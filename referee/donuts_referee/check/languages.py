"""Guesses in which language a bot is written, from its command, and says how stdout is flushed there."""

from pathlib import Path

from donuts_referee.channels.program import Program

__all__ = ["flushing", "language"]

MOST = 16 << 20
"""bytes of a program that are looked at"""

HINTS = {
    "python": "print(line, flush=True), or sys.stdout.flush() after each line",
    "node": "process.stdout.write(line + '\\n') writes at once; do not collect lines, and let the event loop run",
    "java": "out.flush() after each line, or new PrintWriter(System.out, true) with println",
    "go": "w.Flush() after each line where w is a bufio.Writer; fmt.Println alone does not buffer",
    "rust": "io::stdout().flush()? after each line, also through a BufWriter or a lock",
    "c": "fflush(stdout) after each line, or setvbuf(stdout, NULL, _IOLBF, 0) once at the start of main",
    "c++": "std::cout << line << std::endl, or std::cout << std::unitbuf once at the start of main",
    "sh": "echo and printf flush; a filter in a pipe does not: stdbuf -oL, sed -u, grep --line-buffered, awk fflush()",
}

_ENDINGS = {
    ".py": "python",
    ".pyw": "python",
    ".js": "node",
    ".mjs": "node",
    ".cjs": "node",
    ".ts": "node",
    ".jar": "java",
    ".class": "java",
    ".sh": "sh",
    ".rs": "rust",
    ".go": "go",
    ".c": "c",
    ".cpp": "c++",
}
_INTERPRETERS = {
    "python": "python",
    "pypy": "python",
    "node": "node",
    "deno": "node",
    "bun": "node",
    "java": "java",
    "sh": "sh",
    "bash": "sh",
    "dash": "sh",
    "zsh": "sh",
    "ksh": "sh",
}
_MARKS = (
    (b"Go build ID", "go"),
    (b"\xff Go buildinf:", "go"),
    (b"rust_begin_unwind", "rust"),
    (b"/rustc/", "rust"),
    (b"libstdc++", "c++"),
    (b"libc++", "c++"),
)


def language(program: Program) -> str | None:
    """python, node, java, go, rust, c, c++ or sh; None when nothing tells."""
    words = [Path(word) for word in program.argv]
    if not words:
        return None
    found = _interpreter(words[0].name)
    if found == "sh":  # what a shell runs may be anything; a script that it is given is not
        return found
    if found is not None:
        return found
    for word in words[:2]:
        if word.suffix.lower() in _ENDINGS:
            return _ENDINGS[word.suffix.lower()]
    return _by_content(program)


def flushing(program: Program | None) -> str:
    """How to flush stdout, in a sentence's end."""
    known = language(program) if program is not None else None
    if known is None:
        return "flush stdout after every line; C: fflush(stdout); Python: print(..., flush=True); Java: out.flush()"
    return f"flush stdout after every line; in {known.capitalize()}: {HINTS[known]}"


def _interpreter(name: str) -> str | None:
    return _INTERPRETERS.get(name.lower().removesuffix(".exe").rstrip("0123456789.-"))


def _by_content(program: Program) -> str | None:
    path = program.path()
    if path is None or not path.is_file():
        return None
    try:
        with path.open("rb") as file:
            data = file.read(MOST)
    except OSError:
        return None
    if data.startswith(b"#!"):
        words = data.split(b"\n", 1)[0][2:].decode("latin-1").split()
        names = [Path(word).name for word in words if not word.startswith("-")]
        if names[:1] == ["env"]:
            names = [name for name in names[1:] if "=" not in name]
        return _interpreter(names[0]) if names else None
    if (
        data[:4] != b"\x7fELF"
        and data[:4] not in (b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
        and data[:2] != b"MZ"
    ):
        return None
    return next((known for mark, known in _MARKS if mark in data), "c")
