prints $'# Plan\n1. measure\n2. build\n3. show' 'cat notes/plan.md'
prints 'kept' 'cat other.md'
[ "$("$TRY" 'git rev-parse HEAD')" = "$(cd "$START" && git rev-parse HEAD)" ] || fail 'a commit was made'
prints 'no draft' '[ -e drafts/plan.md ] || echo no draft'
