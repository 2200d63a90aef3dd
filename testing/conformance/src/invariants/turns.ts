import type { Watch } from "../violation.ts";

/** One start and one end each, a cause unless completed, at most one open. */
export const turns: Watch = (report, { finished, after }) => {
  const begun = new Set<string>();
  let open: string | undefined;
  return {
    see(event) {
      const { type, turnId } = event;
      if (type === "turn.started") {
        if (open !== undefined) report(`${event.data.turnId} begins while ${open} is open`);
        if (begun.has(event.data.turnId)) report(`${event.data.turnId} begins a second time`);
        open = event.data.turnId;
        begun.add(open);
      }
      const isNamedFirst = type === "message.updated" && event.data.status === "given";
      if (turnId !== undefined && !begun.has(turnId) && !isNamedFirst && after === 0) {
        report(`an event of ${turnId}, which never began`);
      }
      if (type === "turn.ended") {
        const { status, cause } = event.data;
        if (event.data.turnId !== open && (after === 0 || open !== undefined)) {
          report(`${event.data.turnId} ends, but ${open ?? "no turn"} is open`);
        }
        if (status !== "completed" && cause === undefined) report(`${event.data.turnId} is ${status} without a cause`);
        if (status === "completed" && cause !== undefined) report(`${event.data.turnId} is completed because ${cause}`);
        open = undefined;
      } else if (type === "session.ended" && open !== undefined) {
        report(`${open} is open after the life`);
      }
    },
    end() {
      if (finished && open !== undefined) report(`${open} never ends`);
    },
  };
};
