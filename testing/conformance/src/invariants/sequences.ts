import type { Watch } from "../violation.ts";

/** 1, 2, 3 … without hole or repeat; one session, or those it was forked from before it. */
export const sequences: Watch = (report, { after, filtered }) => {
  let last = after;
  let sessionId: string | undefined;
  return {
    see(event) {
      const { sequence } = event;
      if (sequence <= last) report(`${sequence} comes after ${last}`);
      // A hole is allowed where what stands for it names it.
      else if (event.type === "log.damaged" && event.data.from === last + 1 && event.data.to === sequence)
        last = sequence;
      else if (sequence !== last + 1 && !filtered) report(`${last + 1} is missing before ${sequence}`);
      last = sequence;
      // A fork begins with the events of the session it comes from.
      if (event.type === "session.forked" && event.data.from === sessionId) sessionId = event.sessionId;
      sessionId ??= event.sessionId;
      if (event.sessionId !== sessionId) report(`an event of ${event.sessionId} among those of ${sessionId}`);
    },
    end() {},
  };
};
