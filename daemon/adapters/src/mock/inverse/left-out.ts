import { daemonsOwn, type LeftOutTable, noAsInterrupt, requests } from "../../converter/left-out.ts";

/** What the mock has no words for: it has one for almost everything. */
export const mockLeftOut: LeftOutTable = {
  events: [
    ...daemonsOwn,
    requests,
    {
      what: "that a turn is uncertain, that an agent sleeps, and that an item is replaced by another",
      why: "the mock has no words for them",
      rest: (body) => {
        if (body.type === "turn.ended" && body.data.status === "uncertain") {
          return { type: body.type, data: { ...body.data, status: "failed" } };
        }
        if (body.type === "session.updated" && body.data.agentState !== undefined) {
          return { type: body.type, data: { ...body.data, agentState: undefined } };
        }
        if (!("item" in body.data) || body.data.item.supersededBy === undefined) return body;
        return { ...body, data: { item: { ...body.data.item, supersededBy: undefined } } } as typeof body;
      },
    },
  ],
  input: [noAsInterrupt],
};
