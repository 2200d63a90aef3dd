name() { prints "$1" "node -e 'Promise.all([\"normal-name\", \"import\", \"search\", \"login\"].map((n) => import(\"./src/\" + n + \".js\"))).then(([{normalName}, {importNames}, {search}, {isSame}]) => console.log(JSON.stringify($2)))'"; }
name '[6,6]' '[normalName("  Jose\u0301   X ").length, 6]' 
name '1' 'importNames(["Jose\u0301", "jos\u00e9 "]).length'
name 'true' 'isSame("Jose\u0301", "jos\u00e9")'
name '1' 'search(["Jose\u0301 Maria"], "jos\u00e9  m").length'
for file in import search login; do lacks "src/$file.ts" 'toLowerCase'; has "src/$file.ts" 'normal-name'; done
