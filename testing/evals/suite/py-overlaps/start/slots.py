def free_slots(opening, closing, bookings):
    """The free times of a day, as pairs of minutes."""
    bookings.sort()
    free = []
    at = opening
    for start, end in bookings:
        free.append((at, start))
        at = end
    free.append((at, closing))
    return free
