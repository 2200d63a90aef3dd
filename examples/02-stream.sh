# What an agent says, while it says it. npm run example 02 sh
set -eu
U=${SANDBOX_DAEMON_ENDPOINT:-http://127.0.0.1:2468}
T="Authorization: Bearer ${SANDBOX_DAEMON_TOKEN:-}" J="content-type: application/json" S="stream-$(date +%s)-$$"

curl -sf -H "$T" -H "$J" "$U/sessions/$S" -d "{\"agent\":\"${AGENT:-mock}\"}" > /dev/null
curl -sfN -H "$T" -H "$J" "$U/sessions/$S/messages/stream" -d '{"message":"reasoning"}' | while read -r line; do
  case $line in
    *'"item.delta"'*'"part":"text"'*) printf %b "$(echo "$line" | sed 's/.*"delta":"\(.*\)"}}$/\1/')" ;;
    *'"turn.ended"'*) echo && echo "$line" | sed 's/.*"status":"\([a-z]*\)".*/\1/' ;;
  esac
done
