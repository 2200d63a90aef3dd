bill() { prints "$1" "node -e 'import(\"./src/bill.js\").then(({splitBill}) => { try { console.log(JSON.stringify(splitBill($2)).replaceAll(\"-0\", \"0\")) } catch (error) { console.log(error.name) } })'"; }
bill '[34,33,33]' '100, 3'
bill '[1,1,0,0]' '2, 4'
bill '[0,0]' '0, 2'
bill '[-34,-33,-33]' '-100, 3'
bill '[50,50]' '100, 2'
bill 'RangeError' '100, 0'
bill 'RangeError' '0.5, 2'
bill 'RangeError' '100, 1.5'
prints 'true' "node -e 'import(\"./src/bill.js\").then(({splitBill}) => { let ok = true; for (let c = -400; c < 400; c++) for (let p = 1; p < 12; p++) { const s = splitBill(c, p); ok &&= s.length === p && s.reduce((a, b) => a + b) === c && Math.max(...s) - Math.min(...s) <= 1; } console.log(ok) })'"
