cat > wordcount.py <<'PY'
import argparse
import sys


def count(name):
    if name == "-":
        return len(sys.stdin.read().split())
    with open(name, encoding="utf-8", errors="replace") as file:
        return sum(len(line.split()) for line in file)


def main():
    parser = argparse.ArgumentParser(prog="wordcount")
    parser.add_argument("files", nargs="*")
    names = parser.parse_args().files or ["-"]
    total, code = 0, 0
    for name in names:
        try:
            words = count(name)
        except OSError as error:
            print(f"wordcount: {name}: {error.strerror}", file=sys.stderr)
            code = 1
            continue
        total += words
        print(words, name)
    if len(names) > 1:
        print(total, "total")
    return code


sys.exit(main())
PY
