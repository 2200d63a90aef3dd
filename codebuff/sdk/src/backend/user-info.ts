import { Backend, type UserInfo } from "./backend.ts";

const known = new Map<string, Promise<UserInfo>>();

/** Who the key belongs to. Asked once per key and server; a failure is not remembered. */
export function getUserInfoFromApiKey(
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  signal?: AbortSignal,
): Promise<UserInfo> {
  const key = `${baseUrl}\n${apiKey}`;
  const asked = known.get(key);
  if (asked !== undefined) return asked;
  const asking = new Backend({ baseUrl, apiKey }).me(["id"], signal);
  known.set(key, asking);
  asking.catch(() => known.delete(key));
  return asking;
}
