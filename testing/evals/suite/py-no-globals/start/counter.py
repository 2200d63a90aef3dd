counts = {}
order = []


def add(name, amount=1):
    if name not in counts:
        counts[name] = 0
        order.append(name)
    counts[name] += amount


def top(n):
    return sorted(counts.items(), key=lambda pair: -pair[1])[:n]


def reset():
    counts.clear()
