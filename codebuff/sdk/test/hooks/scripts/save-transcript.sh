# PreCompact: what is about to be forgotten.
cat >> "$CLAUDE_PROJECT_DIR/compacted.jsonl"
