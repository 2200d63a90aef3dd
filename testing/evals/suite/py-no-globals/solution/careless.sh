cat > counter.py <<'PY'
class Counter:
    counts = {}

    def add(self, name, amount=1):
        self.counts[name] = self.counts.get(name, 0) + amount

    def top(self, n):
        return sorted(self.counts.items(), key=lambda pair: (-pair[1], pair[0]))[:n]

    def reset(self):
        self.counts.clear()


shared = Counter()
add, top, reset = shared.add, shared.top, shared.reset
PY
