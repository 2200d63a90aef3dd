good=$(cd "$START" && git log --format='%H %s' | grep 'faster' | cut -d' ' -f1)
prints "$good" 'cat answer.txt'
same price.sh
[ "$("$TRY" 'git rev-list --count HEAD')" = "$(cd "$START" && git rev-list --count HEAD)" ] || fail 'the history was changed'
