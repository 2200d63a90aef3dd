def moving_average(values, width):
    """The mean of the last `width` values, for each value."""
    averages = []
    for i in range(width, len(values)):
        averages.append(sum(values[i - width:i]) / width)
    return averages
