cat > wordcount.py <<'PY'
import sys

total = 0
for name in sys.argv[1:]:
    text = sys.stdin.read() if name == "-" else open(name).read()
    total += len(text.split())
    print(len(text.split()), name)
if len(sys.argv) > 2:
    print(total, "total")
PY
