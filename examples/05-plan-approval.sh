# An agent that plans, and waits for leave to begin. npm run example 05 sh
set -eu
U=${SANDBOX_DAEMON_ENDPOINT:-http://127.0.0.1:2468}
T="Authorization: Bearer ${SANDBOX_DAEMON_TOKEN:-}" J="content-type: application/json" S="plan-$(date +%s)-$$"
field() { sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"; }

curl -sf -H "$T" -H "$J" "$U/sessions/$S" -d "{\"agent\":\"${AGENT:-mock}\",\"permissionMode\":\"plan\"}" > /dev/null
curl -sfN -H "$T" -H "$J" "$U/sessions/$S/messages/stream?deltas=false" -d '{"message":"plan"}' |
  while read -r line; do
    case $line in
      *'"question.requested"'*'"plan_approval"'*) # or approve_edits, reject, or own words: what should be different
        printf '%b\napproved\n' "$(echo "$line" | field body)"
        curl -sf -H "$T" -H "$J" "$U/sessions/$S/questions/$(echo "$line" | field questionId)/reply" -d '{"answers":[["approve"]]}' ;;
      *'"item.completed"'*'"role":"assistant"'*'"type":"text"'*) echo "$line" | field text ;;
    esac
  done
