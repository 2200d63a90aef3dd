# A reader that leaves in the middle, comes back and misses nothing. npm run example 06 sh
set -eu
U=${SANDBOX_DAEMON_ENDPOINT:-http://127.0.0.1:2468}
T="Authorization: Bearer ${SANDBOX_DAEMON_TOKEN:-}" J="content-type: application/json" S="resume-$(date +%s)-$$"
seen=""
# Reads until a line has this in it, and keeps the numbers.
read_until() {
  while read -r line; do
    case $line in
      id:*) seen="$seen ${line#id: }" ;;
      *"\"$1\""*) break ;;
    esac
  done
}

curl -sf -H "$T" -H "$J" "$U/sessions/$S" -d "{\"agent\":\"${AGENT:-mock}\"}" > /dev/null
curl -sf -H "$T" -H "$J" "$U/sessions/$S/messages" -d '{"message":"slow 500"}' > /dev/null
read_until item.delta < <(exec curl -sN -H "$T" "$U/sessions/$S/events/sse")
kill $! # the reader leaves; the turn goes on
last=${seen##* }
read_until turn.ended < <(exec curl -sN -H "$T" -H "Last-Event-ID: $last" "$U/sessions/$S/events/sse")
kill $!

[ "$seen" = "$(seq -f ' %g' 1 "${seen##* }" | tr -d '\n')" ] && echo "every event once" || echo "something is missing"
