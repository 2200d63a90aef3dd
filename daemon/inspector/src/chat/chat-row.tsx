import { Component } from "preact";
import type { Entry } from "../model/entries.ts";
import { hashOf } from "../model/route.ts";
import { AnsweredRequest } from "../requests/answered-request.tsx";
import { ItemRow } from "./item-row.tsx";
import { NoteRow } from "./note-row.tsx";
import { TurnEnd } from "./turn-end.tsx";

interface Props {
  entry: Entry;
  depth: number;
  sessionId: string;
  /** A failure that stands below the conversation. */
  toldBelow?: string;
}

/** One entry of the conversation. Entries are never changed, so the same one need not be drawn again. */
export class ChatRow extends Component<Props> {
  override shouldComponentUpdate({ entry, depth, toldBelow }: Props): boolean {
    return entry !== this.props.entry || depth !== this.props.depth || toldBelow !== this.props.toldBelow;
  }

  override render({ entry, depth, sessionId, toldBelow }: Props) {
    return (
      <article class={`row ${entry.kind} ${entry.rewound ? "rewound" : ""}`} data-depth={Math.min(depth, 4)}>
        <div class="column">
          <a
            class="sequence"
            href={hashOf({ page: "session", sessionId, view: "events", at: String(entry.sequence) })}
            title="Show its event"
            aria-label={`Event ${entry.sequence}`}
          >
            {entry.sequence}
          </a>
          {drawEntry(entry, toldBelow)}
        </div>
      </article>
    );
  }
}

function drawEntry(entry: Entry, toldBelow: string | undefined) {
  switch (entry.kind) {
    case "item":
      return <ItemRow view={entry.view} />;
    case "request":
      return <AnsweredRequest entry={entry} />;
    case "note":
      return <NoteRow event={entry.event} toldBelow={toldBelow} />;
    case "turn":
      return <TurnEnd turn={entry.turn} />;
    case "fate":
      return (
        <p class="note">
          A message was {entry.status === "failed" ? "not delivered" : "taken back"}
          {entry.text && `: ${entry.text}`}
        </p>
      );
  }
}
