# PreToolUse Bash: every command in a file.
cat >> "$CLAUDE_PROJECT_DIR/commands.jsonl"
