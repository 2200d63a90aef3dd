c() { prints "$1" "python3 -B -c \"import counter; from counter import *; $2\""; }
c "[('a', 2)] [('b', 1)]" "x = Counter(); y = Counter(); x.add('a', 2); y.add('b'); print(x.top(5), y.top(5))"
c "[('a', 1), ('b', 1), ('c', 1)]" "x = Counter(); [x.add(n) for n in 'cab']; print(x.top(3))"
c "[]" "x = Counter(); x.add('a'); x.reset(); print(x.top(3))"
c "[('m', 3)] []" "add('m', 3); print(top(1), Counter().top(1))"
c "[]" "add('m'); reset(); print(top(1))"
c "[('b', 2), ('a', 1)]" "[add(n) for n in 'bab']; print(top(2))"
c "[('a', 1)]" "x = Counter(); x.add('a'); counter.reset(); print(x.top(1))"
