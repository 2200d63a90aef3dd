mkdir -p app/a/b app/c
for n in $(seq 1 30); do echo "export const n$n = $n;" > app/c/n$n.js; done
printf 'connect("ak_live_0123456789abcdef");\n' > app/a/b/connect.js
printf "// as in \"ak_live_short\"\nconst key = 'ak_live_0123456789abcdef';\nexport { key };\n" > app/c/key.js
printf 'export default { test: "ak_test_0123456789abcdef", live: "ak_live_0123456789abcdef" };\n' > app/keys.js
sed -i 's/ };$/, };/' app/keys.js
