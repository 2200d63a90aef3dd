# An agent that asks before it acts. npm run example 03 sh
set -eu
U=${SANDBOX_DAEMON_ENDPOINT:-http://127.0.0.1:2468}
T="Authorization: Bearer ${SANDBOX_DAEMON_TOKEN:-}" J="content-type: application/json" S="permission-$(date +%s)-$$"
field() { sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"; }

curl -sf -H "$T" -H "$J" "$U/sessions/$S" -d "{\"agent\":\"${AGENT:-mock}\"}" > /dev/null
curl -sfN -H "$T" -H "$J" "$U/sessions/$S/messages/stream?deltas=false" -d '{"message":"permission touch a"}' |
  while read -r line; do
    case $line in
      *'"permission.requested"'*) # reply: once, always for the rest of the session, or reject
        echo "$(echo "$line" | field title)? once"
        curl -sf -H "$T" -H "$J" "$U/sessions/$S/permissions/$(echo "$line" | field permissionId)/reply" -d '{"reply":"once"}' ;;
      *'"item.completed"'*'"role":"assistant"'*'"type":"text"'*) echo "$line" | field text ;;
    esac
  done
