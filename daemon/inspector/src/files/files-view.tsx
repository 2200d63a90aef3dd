import { SafeText } from "@muster/web-parts";
import { useEffect, useState } from "preact/hooks";
import { hashOf } from "../model/route.ts";
import { ProblemNote } from "../parts/problem-note.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import { usePage } from "../store/page.tsx";
import type { SessionLog } from "../store/session-log.ts";
import { DirectoryList, type Listed } from "./directory-list.tsx";
import { FileContent } from "./file-content.tsx";

/** The files of a session's directory; `at` is what is looked at, a directory ending with a slash. */
export function FilesView({ log, at = "" }: { log: SessionLog; at?: string | undefined }) {
  const { sessionId } = log;
  const isDirectory = at === "" || at.endsWith("/");
  const directory = at.slice(0, at.lastIndexOf("/") + 1);
  const { daemon } = usePage();
  const { problem, attempt } = useAttempt();
  const [listed, setListed] = useState<Listed>();
  useEffect(() => {
    let isGone = false;
    const { files } = daemon.client;
    const look = () =>
      attempt(async () => {
        const answer = await files.list({ session: sessionId, path: directory || ".", limit: 2000 });
        if (!isGone) setListed({ ...answer, path: directory });
      });
    // Also when a turn has begun or ended, which is when the agent has written.
    void look();
    return () => {
      isGone = true;
    };
  }, [sessionId, directory, log.session?.turnId]);
  const link = (path: string) => hashOf({ page: "session", sessionId, view: "files", at: path });
  return (
    <div class="files">
      <section class="file-list" aria-label="Files">
        <Crumbs path={directory} link={link} />
        <ProblemNote problem={problem} />
        {listed?.path === directory && <DirectoryList listed={listed} shown={at} link={link} />}
      </section>
      {isDirectory ? (
        <p class="faint file-content">Choose a file to see what is in it.</p>
      ) : (
        <FileContent key={at} log={log} path={at} />
      )}
    </div>
  );
}

/** The way from the session's directory down to the one that is shown. */
function Crumbs({ path, link }: { path: string; link(path: string): string }) {
  const names = path.split("/").filter((name) => name !== "");
  return (
    <nav class="crumbs" aria-label="Directories above">
      <a href={link("")}>session</a>
      {names.map((name, index) => (
        <span>
          {" / "}
          <a href={link(`${names.slice(0, index + 1).join("/")}/`)}>
            <SafeText text={name} code />
          </a>
        </span>
      ))}
    </nav>
  );
}
