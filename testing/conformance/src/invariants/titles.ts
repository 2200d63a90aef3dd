import type { Body, Part } from "@muster/schema";
import type { Watch } from "../violation.ts";

type Call = Extract<Part, { type: "tool_call" }>;

/**
 * Titles say the same for every agent: of a call the very thing it is about (the command, the files), of a permission a
 * verb by its action before that.
 */
export const titles: Watch = (report) => {
  /** callId → a call whose result has not come. */
  const calls = new Map<string, Call>();
  return {
    see(event) {
      if (event.truncated !== undefined) return;
      if (event.type === "permission.requested") {
        const wanted = permissionTitles(event.data);
        if (wanted.length > 0 && !wanted.includes(event.data.title)) {
          report(`the title of a permission is ${JSON.stringify(event.data.title)}, not ${JSON.stringify(wanted[0])}`);
        }
      }
      if (event.type !== "item.completed") return;
      const { content } = event.data.item;
      for (const part of content) {
        if (part.type !== "tool_call") continue;
        calls.set(part.callId, part);
        const command = part.toolKind === "execute" ? commandOf(part.input) : undefined;
        if (command !== undefined && part.title !== command) {
          report(
            `the title of ${part.name} is ${JSON.stringify(part.title)}, not its command ${JSON.stringify(command)}`,
          );
        }
      }
      const result = content.find((part) => part.type === "tool_result");
      const call = result && calls.get(result.callId);
      if (call === undefined) return;
      calls.delete(call.callId);
      for (const part of content) {
        if (part.type === "file" && call.title?.includes(part.path) !== true) {
          report(`the title of ${call.name} is ${JSON.stringify(call.title)} and does not name ${part.path}`);
        }
      }
    },
    end() {},
  };
};

function permissionTitles({ action, detail = {} }: Body<"permission.requested">["data"]): string[] {
  const { command, paths = [], url, tool } = detail;
  switch (action) {
    case "execute":
      return command ? [`Run ${command}`, `Type ${command}`] : [];
    case "edit":
      return paths.length > 0 ? [`Edit ${paths.join(", ")}`] : [];
    case "fetch":
      return url ? [`Fetch ${url}`] : [];
    case "mcp":
      return tool ? [`Use ${tool}`] : [];
    case "read":
    case "other":
      return [];
  }
}

function commandOf(input: unknown): string | undefined {
  const { command, cmd } = typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
  return [command, cmd].find((value) => typeof value === "string" && value !== "") as string | undefined;
}
