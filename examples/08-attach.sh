# A second client, which knows only the id, answers what the first one asked for. npm run example 08 sh
set -eu
U=${SANDBOX_DAEMON_ENDPOINT:-http://127.0.0.1:2468}
T="Authorization: Bearer ${SANDBOX_DAEMON_TOKEN:-}" J="content-type: application/json" S="attach-$(date +%s)-$$"
field() { sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"; }

curl -sf -H "$T" -H "$J" "$U/sessions/$S" -d "{\"agent\":\"${AGENT:-mock}\"}" > /dev/null
exec 3< <(curl -sfN -H "$T" -H "$J" "$U/sessions/$S/messages/stream?deltas=false" -d '{"message":"permission touch a"}')

while read -r line; do
  case $line in
    *'"permission.requested"'*)
      echo "the second client allows: $(echo "$line" | field title)"
      curl -sf -H "$T" -H "$J" "$U/sessions/$S/permissions/$(echo "$line" | field permissionId)/reply" -d '{"reply":"once"}'
      break ;;
  esac
done < <(exec curl -sN -H "$T" "$U/sessions/$S/events/sse")
kill $!

echo "the first client hears: $(grep '"item.completed".*"role":"assistant".*"type":"text"' <&3 | field text)"
