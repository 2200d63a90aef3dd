# PreToolUse Read: who has read what.
cat >> "$CLAUDE_PROJECT_DIR/reads.jsonl"
