cat > slots.py <<'PY'
def free_slots(opening, closing, bookings):
    """The free times of a day, as pairs of minutes."""
    free = []
    at = opening
    for start, end in sorted(bookings):
        if start > at:
            free.append((at, start))
        at = end
    if at < closing:
        free.append((at, closing))
    return free
PY
