prints 'Ada undefined function' "node -e 'import(\"./src/users.js\").then((u) => console.log(u.findUser(1).name, u.getUser, typeof u.getUserName))'"
prints 'Ada Hello Ada true' "node -e 'Promise.all([import(\"./src/routes.js\"), import(\"./src/greeting.js\"), import(\"./src/deep/audit.js\")]).then(([r, g, a]) => console.log(r.routes[\"/getUser\"](1).name, g.greet(1), a.audit(1).known))'"
prints '' 'node test/users.check.js'
same api.json
has src/routes.ts '"/getUser"'
has src/users.ts 'function getUserName'
has src/users.ts 'function forgetUser'
for file in users greeting deep/audit; do lacks "src/$file.ts" '\bgetUser\b'; done
lacks test/users.check.ts '\bgetUser\b'
