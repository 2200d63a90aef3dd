import type { GitChanges } from "@muster/codebuff-protocol";
import { BorrowedRepository } from "@muster/node";

const limits = { timeoutMs: 5_000, mostBytes: 8 * 1024 * 1024 };
const mostCharacters = 20_000;

/**
 * What git says of the work tree; undefined outside of a repository or when git takes too long. It is asked at every prompt
 * and outside of every sandbox, so nothing that the repository's settings name is run.
 */
export async function readGitChanges(cwd: string): Promise<GitChanges | undefined> {
  const repository = await BorrowedRepository.open(cwd, limits).catch(() => undefined);
  if (repository === undefined) return undefined;
  const ask = (...args: readonly string[]) =>
    repository.run(args).then(
      (text) => shorten(text.trimEnd()),
      () => undefined,
    );
  try {
    const [status, diff = "", diffCached = "", lastCommitMessages = ""] = await Promise.all([
      ask("status", "--porcelain=v1", "--branch"),
      ask("diff"),
      ask("diff", "--cached"),
      ask("log", "-10", "--format=%h %s"),
    ]);
    return status === undefined ? undefined : { status, diff, diffCached, lastCommitMessages };
  } finally {
    await repository.close();
  }
}

function shorten(text: string): string {
  return text.length <= mostCharacters
    ? text
    : `${text.slice(0, mostCharacters)}\n[… ${text.length - mostCharacters} characters left out]`;
}
