import type { FileEntry } from "@muster/client";
import { SafeText } from "@muster/web-parts";

export interface Listed {
  /** Relative to the session's directory, with a slash behind it. */
  readonly path: string;
  readonly entries: readonly FileEntry[];
  readonly hasMore: boolean;
}

/** Directories first, then files, each in the order of their names. */
export function DirectoryList({ listed, shown, link }: { listed: Listed; shown: string; link(path: string): string }) {
  const isFolder = (entry: FileEntry) => entry.type === "directory";
  const entries = [...listed.entries.filter(isFolder), ...listed.entries.filter((entry) => !isFolder(entry))];
  if (entries.length === 0) return <p class="faint">It holds nothing.</p>;
  return (
    <>
      <ul>
        {entries.map((entry) => {
          const path = `${listed.path}${entry.path}${isFolder(entry) ? "/" : ""}`;
          return (
            <li key={entry.pathBytes ?? entry.path}>
              <EntryName entry={entry} href={link(path)} isShown={path === shown} />
              {entry.type === "file" && <span class="faint">{sizeText(entry.size)}</span>}
              {entry.target !== undefined && (
                <span class="faint ellipsis">
                  → <SafeText text={entry.target} code />
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {listed.hasMore && <p class="faint">There are more; only the first {listed.entries.length} are shown.</p>}
    </>
  );
}

/** What cannot be named in an address, or not be opened, is named without a link. */
function EntryName({ entry, href, isShown }: { entry: FileEntry; href: string; isShown: boolean }) {
  const name = `${entry.path}${entry.type === "directory" ? "/" : ""}`;
  if (entry.pathBytes !== undefined || entry.type === "other") return <SafeText text={name} code />;
  return (
    <a href={href} aria-current={isShown ? "true" : undefined}>
      <SafeText text={name} code />
    </a>
  );
}

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 ** 2 ? `${Math.round(bytes / 1024)} KiB` : `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}
