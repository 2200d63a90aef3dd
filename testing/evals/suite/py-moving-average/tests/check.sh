prints '[1.0, 1.5, 2.5, 3.5]' 'python3 -B -c "from stats import *; print(list(moving_average([1, 2, 3, 4], 2)))"'
prints '[1.0, 1.5, 2.0]' 'python3 -B -c "from stats import *; print(list(moving_average((n for n in [1, 2, 3]), 9)))"'
prints '[]' 'python3 -B -c "from stats import *; print(list(moving_average([], 3)))"'
prints '[5.0, 7.0]' 'python3 -B -c "from stats import *; print(list(moving_average([5, 7], 1)))"'
prints 'ValueError' 'python3 -B -c "
from stats import *
try: list(moving_average([], 0)); print(\"nothing\")
except ValueError: print(\"ValueError\")"'
