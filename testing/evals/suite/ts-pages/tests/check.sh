pages() { prints "$1" "node -e 'import(\"./src/pages.js\").then(({pageCount, rangeOf}) => console.log(JSON.stringify($2)))'"; }
pages '[1,1,1,2,2,3]' '[0,1,10,11,20,21].map((n) => pageCount(n, 10))'
pages '[[1,10],[11,20],[21,21]]' '[1,2,3].map((page) => rangeOf(page, 21, 10))'
pages '[0,0]' 'rangeOf(1, 0, 10)'
pages '[10,10]' 'rangeOf(4, 10, 3)'
