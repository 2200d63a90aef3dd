import { recordings } from "../../test/recordings.ts";
import { codexConverter } from "./converter.ts";

// Recorded from Codex 0.166.0 against a scripted model: the lines of one session and the commands that led it. The ids of
// our requests are as we would have sent them.
recordings({
  folder: new URL("../../recordings/codex/app-server/", import.meta.url),
  least: 60,
  converter: () => codexConverter({ permissionMode: "default" }),
  // What no client of ours can answer.
  notUnderstood: { "dynamic-tool": ["This client does not answer item/tool/call"] },
});
