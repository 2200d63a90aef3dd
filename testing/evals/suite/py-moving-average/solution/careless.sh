cat > stats.py <<'PY'
def moving_average(values, width):
    """The mean of the last `width` values, for each value."""
    return [sum(values[max(0, i - width + 1):i + 1]) / min(width, i + 1) for i in range(len(values))]
PY
