import type { EventType } from "@muster/schema";
import type { Watch } from "../violation.ts";

/** What may be told while no agent lives: messages wait, settings change, a start fails. */
const lifeless: ReadonlySet<EventType> = new Set<EventType>(["message.updated", "session.updated", "error"]);

/** `session.started` opens a life, `session.ended` is its last event; the next one is announced as resumed. */
export const lives: Watch = (report, { after }) => {
  let life: "none" | "open" | "ended" | "unknown" = after === 0 ? "none" : "unknown";
  return {
    see({ type, data, source }) {
      if (type === "session.started") {
        if (life === "open") report("a life begins while another is open");
        if (life === "none" && data.resumed) report("the first life says that it is resumed");
        if (life === "ended" && !data.resumed) report("a later life does not say that it is resumed");
        life = "open";
      } else if (type === "session.ended") {
        if (life !== "open" && life !== "unknown") report("a life ends that was not open");
        life = "ended";
      } else if (life === "none" || life === "ended") {
        const when = life === "none" ? "before the first life" : "after the end of the life";
        if (!lifeless.has(type)) report(`${type} ${when}`);
        else if (source === "agent") report(`${type} of the agent ${when}`);
      }
    },
    end() {},
  };
};
