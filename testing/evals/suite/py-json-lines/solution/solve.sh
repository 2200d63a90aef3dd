cat > records.py <<'PY'
import json


def read_records(path):
    """The records of a file, one JSON object a line, one by one. Only LF and CRLF end a line."""
    with open(path, encoding="utf-8-sig", newline="\n") as file:
        for number, line in enumerate(file, 1):
            if line.strip("\r\n \t") == "":
                continue
            try:
                record = json.loads(line)
            except json.JSONDecodeError as error:
                raise ValueError(f"{path}, line {number}: {error}") from error
            yield record
PY
