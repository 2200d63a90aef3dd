import { Code, Diff, SafeText } from "@muster/web-parts";
import { safePicture } from "@muster/web-parts/model";
import { useEffect, useState } from "preact/hooks";
import { changedFiles } from "../model/changed-files.ts";
import { isTextBytes, languageOf, pictureType } from "../model/file-kinds.ts";
import { ProblemNote } from "../parts/problem-note.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import { usePage } from "../store/page.tsx";
import type { SessionLog } from "../store/session-log.ts";
import { sizeText } from "./directory-list.tsx";

/** More would hold up the page; a picture is shown whole or not at all. */
const mostText = 256 * 1024;
const mostPicture = 8 * 1024 * 1024;

interface Content {
  readonly size: number;
  readonly bytes: Uint8Array;
}

/** What is in a file: a picture, a text, or how much of something else; with what the agent changed in it. */
export function FileContent({ log, path }: { log: SessionLog; path: string }) {
  const { daemon } = usePage();
  const { problem, attempt } = useAttempt();
  const [content, setContent] = useState<Content>();
  const { sessionId } = log;
  const type = pictureType(path);
  useEffect(() => {
    let isGone = false;
    void attempt(async () => {
      const { files } = daemon.client;
      const most = type === undefined ? mostText : mostPicture;
      const answer = await files.read({ session: sessionId, path, range: `bytes=0-${most - 1}` }).catch(emptyFile);
      if (answer === undefined) return setContent({ size: 0, bytes: new Uint8Array() });
      const bytes = await answer.bytes();
      const size = Number(answer.headers["content-range"]?.split("/")[1] ?? bytes.length);
      if (!isGone) setContent({ size, bytes });
    });
    return () => {
      isGone = true;
    };
  }, [sessionId, path, log.session?.turnId]);
  const changed = changedFiles(log.fold.entries.all()).find(
    (one) => one.path === path || one.path.endsWith(`/${path}`),
  );
  return (
    <section class="file-content" aria-label="Content of the file">
      <h2>
        <SafeText text={path} code /> {content && <span class="faint">{sizeText(content.size)}</span>}
      </h2>
      <ProblemNote problem={problem} />
      {content && <Shown content={content} path={path} type={type} />}
      {changed && (
        <details open>
          <summary>
            What the agent changed <span class="added">+{changed.added}</span>{" "}
            <span class="removed">−{changed.removed}</span>
          </summary>
          {changed.diffs.map((diff) => (
            <Diff diff={diff} label={path} />
          ))}
        </details>
      )}
    </section>
  );
}

function Shown({ content: { size, bytes }, path, type }: { content: Content; path: string; type: string | undefined }) {
  const isWhole = bytes.length === size;
  const picture = type !== undefined && isWhole ? safePicture(type, base64(bytes)) : undefined;
  if (picture !== undefined) return <img src={picture} alt={path} />;
  if (!isTextBytes(bytes)) return <p class="faint">These bytes are no text.</p>;
  return (
    <>
      <Code text={new TextDecoder().decode(bytes)} language={languageOf(path)} />
      {!isWhole && <p class="faint">Only the first {sizeText(bytes.length)} are shown.</p>}
    </>
  );
}

/** A file without bytes has no range; anything else is thrown on. */
function emptyFile(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "range_not_satisfiable") return undefined;
  throw error;
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
