"""The rules on bare integers: a set of squares is a mask whose bit i is the square with index i.

Nothing here knows a board, a position or a name, so that counting and searching can use it without paying for
them.
"""

from collections.abc import Mapping, Sequence

Rays = Sequence[tuple[int, Mapping[int, int]]]
"""For one square and each direction: the mask of the rest of that line, a table of the mover's rings on it.

A table answers 0 (no two bounding squares on the board), the mask of the two squares that bound the mover's
unbroken rings, or, when those rings with the new one are five or more, the complement (negative) of that
mask.
"""


def _five_steps(size: int) -> tuple[tuple[int, int, int, int], ...]:
    # A row starts where four more steps stay on the board; going up a column runs off the top into zeros by
    # itself.
    squares = range(size * size)
    left = sum(1 << i for i in squares if i % size <= size - 5)
    right = sum(1 << i for i in squares if i % size >= 4)
    every = (1 << size * size) - 1
    steps = ((1, left), (size, every), (size + 1, left), (size - 1, right))
    return tuple((step, 2 * step, 4 * step, starts) for step, starts in steps)


_FIVE_STEPS = {size: _five_steps(size) for size in (6, 9)}
_NOT_FIRST = {size: sum(1 << i for i in range(size * size) if i % size) for size in (6, 9)}
_NOT_LAST = {size: sum(1 << i for i in range(size * size) if (i + 1) % size) for size in (6, 9)}


def insertion(mine: int, theirs: int, rays: Rays) -> int:
    """Return the mask of the rings that flip when the owner of `mine` places a ring on the square of `rays`.

    Both ends of the mover's unbroken rings must be the opponent's for those two to flip, and all directions
    are read from the board before any flip (RULES 3.4, 3.5). When the ring completes a row of five or
    more even before the flips, the complement of the mask is returned, which is negative; otherwise a row may
    still arise from the flips.
    """
    flipped = 0
    five = False
    for line, table in rays:
        ends = table[mine & line]
        if ends:
            if ends & theirs == ends:
                flipped |= ends
            elif ends < 0:
                five = True
                ends = ~ends
                if ends & theirs == ends:
                    flipped |= ends
    return ~flipped if five else flipped


def has_five(rings: int, size: int) -> bool:
    """Tell whether `rings` hold five in an unbroken straight line, in any of the four directions."""
    for step, two, four, starts in _FIVE_STEPS[size]:
        pairs = rings & rings >> step
        if pairs & pairs >> two and pairs & pairs >> two & rings >> four & starts:
            return True
    return False


def five_squares(rings: int, size: int) -> int:
    """Return the mask of every square of every row of five or more in `rings`; 0 when there is none."""
    squares = 0
    for step, two, four, starts in _FIVE_STEPS[size]:
        pairs = rings & rings >> step
        first = pairs & pairs >> two & rings >> four & starts
        for k in range(5):
            squares |= first << k * step
    return squares


def largest_group(rings: int, size: int) -> int:
    """Return how many rings the largest orthogonally connected group of `rings` has; 0 without rings."""
    not_first, not_last = _NOT_FIRST[size], _NOT_LAST[size]
    largest = 0
    while rings:
        group, grown = 0, rings & -rings
        while grown != group:
            group = grown
            spread = group << size | group >> size | (group & not_last) << 1 | (group & not_first) >> 1
            grown = group | spread & rings
        rings ^= group
        largest = max(largest, group.bit_count())
    return largest


def squares_of(mask: int) -> tuple[int, ...]:
    """Return the indices of the squares in `mask`, in index order."""
    squares: list[int] = []
    while mask:
        lowest = mask & -mask
        squares.append(lowest.bit_length() - 1)
        mask ^= lowest
    return tuple(squares)


def mask_of(squares: Sequence[int]) -> int:
    """Return the mask of these square indices."""
    mask = 0
    for square in squares:
        mask |= 1 << square
    return mask


def moved_mask(mask: int, where: Sequence[int]) -> int:
    """Carry every square of `mask` to the square `where` says (new index by old index)."""
    return mask_of([where[square] for square in squares_of(mask)])
