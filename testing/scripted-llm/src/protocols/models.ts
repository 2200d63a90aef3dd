import { scriptedTime } from "./wire.ts";

/** `GET /v1/models` and `GET /v1/models/{id}` in the words of the service the client believes to talk to. */
export function modelList(models: readonly string[], isAnthropic: boolean): object {
  const data = models.map((id) => model(id, isAnthropic));
  if (!isAnthropic) return { object: "list", data };
  return { data, has_more: false, first_id: models[0] ?? null, last_id: models.at(-1) ?? null };
}

export function model(id: string, isAnthropic: boolean): object {
  if (!isAnthropic) return { id, object: "model", created: scriptedTime, owned_by: "scripted" };
  return { type: "model", id, display_name: id, created_at: new Date(scriptedTime * 1000).toISOString() };
}
