import { randomUUID } from "node:crypto";
import { z } from "zod";
import { knowUser } from "../admission/user.ts";
import { Refusal } from "../refusal.ts";
import { type Call, readChecked } from "./answer.ts";

const Body = z.record(z.string(), z.json()).refine((body) => Object.keys(body).length > 0, "must say something");
const mostCharacters = 100_000;

export async function feedback({ request, service }: Call): Promise<object> {
  const user = await knowUser(request.headers, service);
  const body = JSON.stringify(await readChecked({ request, service }, Body));
  if (body.length > mostCharacters) throw new Refusal(400, `Feedback has at most ${mostCharacters} characters`);
  await service.database.db
    .insertInto("feedback")
    .values({ id: randomUUID(), user_id: user.id, body, created_at: service.now() })
    .execute();
  return { success: true };
}
