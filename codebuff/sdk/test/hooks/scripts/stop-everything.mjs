// PostToolUse: nobody goes on after this.
process.stdout.write(JSON.stringify({ continue: false, stopReason: "the night is over" }));
