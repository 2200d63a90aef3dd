# One question, one answer. npm run example 01 sh
set -eu
U=${SANDBOX_DAEMON_ENDPOINT:-http://127.0.0.1:2468}
T="Authorization: Bearer ${SANDBOX_DAEMON_TOKEN:-}" J="content-type: application/json" S="hello-$(date +%s)-$$"

curl -sf -H "$T" -H "$J" "$U/sessions/$S" -d "{\"agent\":\"${AGENT:-mock}\"}" > /dev/null
curl -sfN -H "$T" -H "$J" "$U/sessions/$S/messages/stream?deltas=false" -d '{"message":"echo Hello"}' |
  sed -n 's/.*"item.completed".*"role":"assistant".*"text":"\([^"]*\)".*/\1/p'
