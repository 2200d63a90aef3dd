import { expect, it } from "vitest";
import { allowedTools } from "./allowed-tools.ts";

it("a list of Claude Code's is rules of ours", () => {
  const given =
    "Bash(git add:*), Bash(npm test), Edit, Write(docs/**), WebFetch(domain:example.com), mcp__clock__year, Read";
  expect(allowedTools(given)).toEqual({
    faults: [],
    rules: [
      { effect: "allow", command: "git add *" },
      { effect: "allow", command: "npm test" },
      { effect: "allow", action: "edit", path: "**" },
      { effect: "allow", action: "edit", path: "docs/**" },
      { effect: "allow", action: "fetch", host: "example.com" },
      { effect: "allow", action: "mcp", tool: "clock__year" },
    ],
  });
});

it("a list of YAML means the same, and what opens everything or nothing is a fault", () => {
  expect(allowedTools(["Bash(gh pr view:*)"]).rules).toEqual([{ effect: "allow", command: "gh pr view *" }]);
  for (const given of ["Bash", "Bash(*)", "Bash(python3:*)", "Nothing", "WebFetch"]) {
    expect(allowedTools(given)).toEqual({ rules: [], faults: [expect.stringContaining(given)] });
  }
});
