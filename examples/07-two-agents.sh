# Two agents at work at the same time. npm run example 07 sh
set -eu
U=${SANDBOX_DAEMON_ENDPOINT:-http://127.0.0.1:2468}
T="Authorization: Bearer ${SANDBOX_DAEMON_TOKEN:-}" J="content-type: application/json" S="two-$(date +%s)-$$"
agents=${AGENTS:-mock,mock}
ask() {
  curl -sf -H "$T" -H "$J" "$U/sessions/$S-$2" -d "{\"agent\":\"$1\"}" > /dev/null
  curl -sfN -H "$T" -H "$J" "$U/sessions/$S-$2/messages/stream?deltas=false" -d "{\"message\":\"echo $2\"}" |
    sed -n 's/.*"item.completed".*"role":"assistant".*"text":"\([^"]*\)".*/\1/p'
}

exec 3< <(ask "${agents%,*}" one) 4< <(ask "${agents#*,}" two)
cat <&3
cat <&4
