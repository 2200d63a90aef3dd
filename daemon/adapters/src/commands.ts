import type { AttachmentInfo, PermissionMode } from "@muster/schema";

/** What the engine tells an agent. All of it passes the converter, so a recorded life replays. */
export type Command =
  | { type: "message"; messageId: string; text: string; attachments: readonly AttachmentInfo[] }
  /** Like `message`, into the open turn; `message.joined` tells that it arrived. */
  | { type: "steer"; messageId: string; text: string; attachments: readonly AttachmentInfo[] }
  /** `allow` is always for this once; what `always` means is the engine's business. */
  | { type: "permission"; requestKey: string; decision: "allow" | "reject"; message?: string }
  /** No answers means the person declined. */
  | {
      type: "question";
      requestKey: string;
      answers?: readonly (readonly string[])[];
      message?: string;
      editedText?: string;
    }
  | { type: "interrupt" }
  | { type: "update"; model?: string; agentMode?: string; variant?: string; permissionMode?: PermissionMode };
