prints '3999 True' 'python3 -B -c "
from roman import *
print(from_roman(\"MMMCMXCIX\"), all(from_roman(to_roman(n)) == n for n in range(1, 4000)))"'
prints 'I IV IX XL XC CD CM MCMXCIV' 'python3 -B -c "
from roman import *
print(*[to_roman(n) for n in [1, 4, 9, 40, 90, 400, 900, 1994]])"'
prints '10' 'python3 -B -c "
from roman import *
bad = 0
for text in [\"IIII\", \"IC\", \"VX\", \"\", \"iv\", \"VV\", \"IXIV\", \"MMMM\"]:
    try: from_roman(text)
    except ValueError: bad += 1
for number in [0, 4000]:
    try: to_roman(number)
    except ValueError: bad += 1
print(bad)"'
