"""The largest set of pairs in which nobody stands twice, where only some may meet: Edmonds' blossom algorithm.

Graphs are tuples of bit masks: bit j of `graph[i]` says that i and j may meet. Source: J. Edmonds, "Paths, trees, and
flowers", Canadian Journal of Mathematics 17 (1965); the search by bases is the usual O(n^3) form of it. Where everyone
may meet half of the others, Dirac's theorem (1952) gives a cycle through all of them and nothing is searched.
"""

from collections.abc import Iterator, Sequence

__all__ = ["bits", "most_pairs"]


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def most_pairs(graph: Sequence[int], alive: int) -> int:
    """How many pairs can be made at once of the vertices in the mask `alive`."""
    count = alive.bit_count()
    if count < 2:
        return 0
    if 2 * min((graph[one] & alive).bit_count() for one in bits(alive)) >= count > 2:
        return count // 2
    search = _Search(graph, alive)
    return sum(search.mate[one] >= 0 for one in bits(alive)) // 2


class _Search:
    """A matching that has been made as large as it can be; `mate[i]` is -1 for whoever is left over."""

    def __init__(self, graph: Sequence[int], alive: int) -> None:
        self._graph = graph
        self._alive = alive
        self.mate = [-1] * len(graph)
        single = alive
        for one in bits(alive):  # most of a dense graph is paired at once
            free = graph[one] & single
            if single >> one & 1 and free:
                other = (free & -free).bit_length() - 1
                self.mate[one], self.mate[other] = other, one
                single &= ~(1 << one | 1 << other)
        for one in bits(single):
            if self.mate[one] < 0:
                self._augment(one)

    def _augment(self, root: int) -> None:
        """Find an alternating path from `root` to another single vertex and turn it over, if there is one."""
        count = len(self._graph)
        parent = [-1] * count
        base = list(range(count))
        outer = [False] * count
        outer[root] = True
        queue = [root]
        mate = self.mate
        for one in queue:  # grows meanwhile
            for other in bits(self._graph[one] & self._alive):
                if base[one] == base[other] or mate[one] == other:
                    continue
                if outer[other]:
                    stem = self._stem(one, other, base, parent)
                    flower = {*self._petals(one, stem, other, base, parent)}
                    flower |= {*self._petals(other, stem, one, base, parent)}
                    for each in range(count):
                        if base[each] in flower:
                            base[each] = stem
                            if not outer[each]:
                                outer[each] = True
                                queue.append(each)
                elif parent[other] < 0:
                    parent[other] = one
                    if mate[other] < 0:
                        self._turn_over(other, parent)
                        return
                    outer[mate[other]] = True
                    queue.append(mate[other])

    def _stem(self, one: int, other: int, base: list[int], parent: list[int]) -> int:
        """Where the ways of two outer vertices back to the root first meet."""
        way: set[int] = set()
        while True:
            one = base[one]
            way.add(one)
            if self.mate[one] < 0:
                break
            one = parent[self.mate[one]]
        while base[other] not in way:
            other = parent[self.mate[base[other]]]
        return base[other]

    def _petals(self, one: int, stem: int, child: int, base: list[int], parent: list[int]) -> Iterator[int]:
        """The bases on the way from `one` to the stem; the way is kept so that it can be walked from both ends."""
        while base[one] != stem:
            partner = self.mate[one]
            yield base[one]
            yield base[partner]
            parent[one] = child
            child = partner
            one = parent[partner]

    def _turn_over(self, end: int, parent: list[int]) -> None:
        while end >= 0:
            before = parent[end]
            after = self.mate[before]
            self.mate[end], self.mate[before] = before, end
            end = after
