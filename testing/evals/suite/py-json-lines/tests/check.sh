r() { prints "$1" "cat > /tmp/t.py && python3 -B -c \"import sys; sys.path.insert(0, '.'); exec(open('/tmp/t.py').read())\" " ; }
try_py() { printf '%s' "$2" > tried.py; prints "$1" "python3 -B -c \"import base64, sys; sys.path.insert(0, '.'); exec(base64.b64decode('$(base64 -w0 tried.py)').decode())\""; }
try_py '["a\u2028b", "c\u0085d"]' 'import json
from records import read_records
open("/tmp/r", "w", encoding="utf-8", newline="").write("{\"t\":\"a\u2028b\"}\n{\"t\":\"c\u0085d\"}\n")
print(json.dumps([r["t"] for r in read_records("/tmp/r")]))'
try_py '[1, 2]' 'from records import read_records
open("/tmp/r", "w", encoding="utf-8", newline="").write("\ufeff{\"n\":1}\r\n\r\n{\"n\":2}")
print([r["n"] for r in read_records("/tmp/r")])'
try_py 'True' 'from records import read_records
open("/tmp/r", "w", encoding="utf-8", newline="").write("{}\n\n{broken\n")
try: list(read_records("/tmp/r")); print("nothing")
except ValueError as error: print("3" in str(error))'
try_py '1' 'from records import read_records
open("/tmp/r", "w", encoding="utf-8", newline="").write("{\"n\":1}\n{broken\n")
print(next(iter(read_records("/tmp/r")))["n"])'
