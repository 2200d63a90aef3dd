import json


def read_records(path):
    """The records of a file, one JSON object a line."""
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file.read().splitlines()]
