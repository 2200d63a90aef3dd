import type { Process } from "@muster/schema";
import type { DaemonProcess } from "../daemon-process.ts";

export async function get<T>(daemon: DaemonProcess, path: string): Promise<T> {
  return answerOf(await fetch(`${daemon.api.baseUrl}${path}`, { headers: tokenOf(daemon) }));
}

export async function post<T>(daemon: DaemonProcess, path: string, body: unknown): Promise<T> {
  const headers = { "content-type": "application/json", ...tokenOf(daemon) };
  return answerOf(await fetch(`${daemon.api.baseUrl}${path}`, { method: "POST", headers, body: JSON.stringify(body) }));
}

export function processOf(daemon: DaemonProcess, processId: string): Promise<Process> {
  return get(daemon, `/processes/${processId}`);
}

function tokenOf({ token }: DaemonProcess): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

async function answerOf<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return (text === "" ? undefined : JSON.parse(text)) as T;
}
