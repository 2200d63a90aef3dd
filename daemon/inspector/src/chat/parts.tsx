import type { Item, Part } from "@muster/schema";
import { Diff, Markdown, SafeText } from "@muster/web-parts";
import { safePicture } from "@muster/web-parts/model";
import { AttachedPicture } from "./attached.tsx";

/** The parts of an item one below the other. */
export function Parts({ item }: { item: Item }) {
  return (
    <>
      {item.content.map((part) => (
        <PartView part={part} />
      ))}
    </>
  );
}

export function PartView({ part }: { part: Part }) {
  switch (part.type) {
    case "text":
    case "reasoning":
    case "plan":
      return <Markdown text={part.text} />;
    case "image": {
      const source = safePicture(part.mime, part.data);
      if (source !== undefined) return <img class="picture" src={source} alt="Given by the agent" />;
      return <AttachedPicture mime={part.mime} path={part.path ?? ""} />;
    }
    case "file":
      return part.diff === undefined ? (
        <p class="file">
          {part.action} <code>{<SafeText text={part.path} code />}</code>
        </p>
      ) : (
        <Diff diff={part.diff} label={part.path} />
      );
    case "status":
      return (
        <p class="note">
          <strong>{part.label}</strong> {part.detail}
        </p>
      );
    case "json":
      return <pre class="plain">{JSON.stringify(part.json, null, 2)}</pre>;
    case "tool_call":
    case "tool_result":
      return null;
  }
}
