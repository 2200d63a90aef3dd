# SessionEnd: a line in a diary.
cat >> "$CLAUDE_PROJECT_DIR/ended.jsonl"
