# A CI job: when the test fails, an agent mends the code, within a budget: npm run example 09 sh mends a small project; DIRECTORY=… TEST="npm test" takes yours
set -eu
U=${SANDBOX_DAEMON_ENDPOINT:-http://127.0.0.1:2468}
T="Authorization: Bearer ${SANDBOX_DAEMON_TOKEN:-}" J="content-type: application/json" S="ci-$(date +%s)-$$"
cd "${DIRECTORY:-.}"
run_test() { sh -c "${TEST:-npm test}" 2>&1; }

run_test > /dev/null && exit 0
echo "the test fails"

gateway=${MODEL_URL:+",\"baseUrl\":\"$MODEL_URL\",\"token\":\"${MODEL_TOKEN:-}\""} # if the model is behind one
# bypass: nobody is there to ask; run it where it can do no harm
curl -sf -H "$T" -H "$J" "$U/sessions/$S" -d "{\"agent\":\"${AGENT:-codebuff}\",\"directory\":\"$PWD\",
  \"permissionMode\":\"bypass\",\"limits\":{\"budgetUsd\":${BUDGET_USD:-1},\"turnMs\":900000}$gateway}" > /dev/null
curl -sfN -H "$T" -H "$J" "$U/sessions/$S/messages/stream?deltas=false" \
  -d "{\"message\":\"The test fails (${TEST:-npm test}). Mend the code, not the test.\"}" |
  sed -n 's/.*"turn.ended".*"status":"[fiu].*"cause":"\([a-z_]*\)".*/the agent gave up: \1/p'
cost=$(curl -sf -H "$T" "$U/sessions/$S" | sed 's/.*"costUsd":\([0-9.e-]*\).*/\1/')

if run_test > /dev/null; then result=mended; else result="not mended"; fi
printf '%s for $%.4f\n' "$result" "$cost"
[ "$result" = mended ]
