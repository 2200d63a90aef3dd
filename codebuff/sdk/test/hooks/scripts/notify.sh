# Notification: a line for whoever is away from the screen.
cat >> "$CLAUDE_PROJECT_DIR/notified.jsonl"
