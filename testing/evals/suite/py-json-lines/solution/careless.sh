cat > records.py <<'PY'
import json


def read_records(path):
    """The records of a file, one JSON object a line."""
    records = []
    with open(path, encoding="utf-8-sig") as file:
        for number, line in enumerate(file.read().split("\n"), 1):
            if line.strip():
                try:
                    records.append(json.loads(line))
                except json.JSONDecodeError as error:
                    raise ValueError(f"line {number}: {error}")
    return records
PY
