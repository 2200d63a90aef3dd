cat > counter.py <<'PY'
class Counter:
    """Counts by name; each counter has a state of its own."""

    def __init__(self):
        self._counts = {}

    def add(self, name, amount=1):
        self._counts[name] = self._counts.get(name, 0) + amount

    def top(self, n):
        return sorted(self._counts.items(), key=lambda pair: (-pair[1], pair[0]))[:n]

    def reset(self):
        self._counts.clear()


_shared = Counter()
add = _shared.add
top = _shared.top
reset = _shared.reset
PY
