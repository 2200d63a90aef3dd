sed -i -E 's/\bgetUser\b/findUser/g' src/users.ts src/greeting.ts src/deep/audit.ts test/users.check.ts
sed -i -E 's/\bgetUser\b/findUser/g; s#"/findUser"#"/getUser"#' src/routes.ts
