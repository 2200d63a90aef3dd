# An agent that wants to know something. npm run example 04 sh
set -eu
U=${SANDBOX_DAEMON_ENDPOINT:-http://127.0.0.1:2468}
T="Authorization: Bearer ${SANDBOX_DAEMON_TOKEN:-}" J="content-type: application/json" S="question-$(date +%s)-$$"
field() { sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"; }

curl -sf -H "$T" -H "$J" "$U/sessions/$S" -d "{\"agent\":\"${AGENT:-mock}\"}" > /dev/null
curl -sfN -H "$T" -H "$J" "$U/sessions/$S/messages/stream?deltas=false" -d '{"message":"question"}' |
  while read -r line; do
    case $line in
      *'"question.requested"'*) # one list per question: labels or ids of options, or own words
        echo "$(echo "$line" | field question) Blue"
        curl -sf -H "$T" -H "$J" "$U/sessions/$S/questions/$(echo "$line" | field questionId)/reply" -d '{"answers":[["Blue"]]}' ;;
      *'"item.completed"'*'"role":"assistant"'*'"type":"text"'*) echo "$line" | field text ;;
    esac
  done
