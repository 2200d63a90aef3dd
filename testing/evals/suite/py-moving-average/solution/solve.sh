cat > stats.py <<'PY'
from collections import deque


def moving_average(values, width):
    """The mean of each value and of up to `width - 1` before it."""
    if width < 1:
        raise ValueError("a window holds at least one value")
    window = deque(maxlen=width)
    averages = []
    for value in values:
        window.append(value)
        averages.append(sum(window) / len(window))
    return averages
PY
