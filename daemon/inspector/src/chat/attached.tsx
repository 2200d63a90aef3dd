import { SafeText } from "@muster/web-parts";
import { safePicture } from "@muster/web-parts/model";
import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { usePage } from "../store/page.tsx";
import type { SessionLog } from "../store/session-log.ts";

/** The session whose conversation is drawn. */
export const LogContext = createContext<SessionLog | undefined>(undefined);

/** A picture that came with a message. What was attached by its path lies on the daemon's machine and is named. */
export function AttachedPicture({ mime, path }: { mime: string; path: string }) {
  const name = useName(path);
  const source = useContent(mime, path);
  if (source !== undefined) return <img class="picture" src={source} alt={name} title={name} />;
  return (
    <p class="file">
      Picture <Name path={path} />
    </p>
  );
}

/** A file that came with a message, by the name it had where it came from. */
export function AttachedFile({ path }: { path: string }) {
  return (
    <p class="file">
      Attached <Name path={path} />
    </p>
  );
}

function Name({ path }: { path: string }) {
  return (
    <code title={path}>
      <SafeText text={useName(path)} code />
    </code>
  );
}

function useName(path: string): string {
  return useContext(LogContext)?.fold.filenames.get(path) ?? path;
}

/** What was read stays for as long as the page is open: rows come and go as the conversation is scrolled. */
const read = new Map<string, string>();

function useContent(mime: string, path: string): string | undefined {
  const { daemon } = usePage();
  const sessionId = useContext(LogContext)?.sessionId;
  const [source, setSource] = useState(() => read.get(path));
  const [, attachment] = /\/attachments\/([0-9a-f]{32}-\d+)$/.exec(path) ?? [];
  useEffect(() => {
    if (source !== undefined || attachment === undefined || sessionId === undefined) return;
    let isGone = false;
    daemon.client.sessions.getAttachment({ sessionId, attachment }).then(
      ({ data }) => {
        const found = safePicture(mime, data);
        if (found === undefined) return;
        read.set(path, found);
        if (!isGone) setSource(found);
      },
      // It is named where it cannot be shown.
      (error: unknown) => daemon.locksOn(error),
    );
    return () => {
      isGone = true;
    };
  }, [path]);
  return source;
}
