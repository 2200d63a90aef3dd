// SubagentStart: house rules for helpers.
const hookSpecificOutput = { hookEventName: "SubagentStart", additionalContext: "Answer in one sentence." };
process.stdout.write(JSON.stringify({ hookSpecificOutput }));
