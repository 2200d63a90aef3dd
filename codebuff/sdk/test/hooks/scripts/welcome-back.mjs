// SessionStart resume: what has happened meanwhile.
const hookSpecificOutput = { hookEventName: "SessionStart", additionalContext: "Somebody pushed meanwhile." };
process.stdout.write(JSON.stringify({ hookSpecificOutput }));
