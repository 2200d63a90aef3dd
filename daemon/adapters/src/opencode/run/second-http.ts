import { pathToFileURL } from "node:url";
import { isRecord } from "@muster/core";
import { permissionOf, questionOf, storedMessage } from "../read/second-parts.ts";
import { SecondForm, SecondMessage, SecondPermission } from "../wire/second.ts";
import { type Answer, OpencodeHttp, type Request } from "./http.ts";

/**
 * The HTTP side of OpenCode 2, asked in the words of version 1: what drives a server does not know which one it is. Its
 * calls lie below `/api/`, name a directory in `location`, and answer `{data}` or 204.
 */
export class SecondHttp extends OpencodeHttp {
  /** The vendor's own provider needs no key and sees the conversation: it is offered to those only who asked for it. */
  readonly #offersFree: boolean;
  /** Model and agent are settings of a session here and not of a prompt: what was set last. */
  readonly #set = new Map<string, string>();

  constructor(base: string, password: string, { offersFree }: { offersFree: boolean }) {
    super(base, password);
    this.#offersFree = offersFree;
  }

  override async ask(request: Request): Promise<Answer> {
    const { method = "GET", path, directory = "" } = request;
    const [, first = "", id = "", third = ""] = (path.split("?")[0] ?? "").split("/");
    if (method === "GET") return this.#read(request, { first, id, third, directory });
    switch (`${first}/${third}`) {
      case "session/":
        return this.#create(request, directory);
      case "session/abort":
        return this.#ask({ ...request, path: `/api/session/${id}/interrupt`, body: undefined });
      case "session/prompt_async":
        return this.#prompt(request, id);
      case "permission/reply":
        return this.#reply(request, "permission", id, () => request.body);
      case "question/reply":
      case "question/reject":
        return this.#reply(request, "form", id, (form) => ({ answer: answersOf(form, request.body) }));
      default:
        throw new Error(`OpenCode 2 has no call for ${method} ${path}`);
    }
  }

  override stream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    return super.stream(path === "/global/event" ? "/api/event" : path, signal);
  }

  async #read(
    request: Request,
    { first, id, third, directory }: Record<"first" | "id" | "third" | "directory", string>,
  ) {
    const get = (path: string) => this.#ask({ ...request, path });
    const at = located(directory);
    switch (`${first}/${third === "" && first === "session" && id !== "status" ? "{id}" : third || id}`) {
      case "global/health":
        return get("/api/health");
      case "config/providers":
        return { status: 200, body: await this.#providers(get, at) };
      // The default model comes with the providers.
      case "config/":
        return { status: 200, body: {} };
      case "agent/":
        return withBody(await get(`/api/agent?${at}`), (data) => listOf(data).map(firstAgent));
      case "session/{id}":
        return withBody(await get(`/api/session/${id}`), (data) => data);
      case "session/status":
        return withBody(await get("/api/session/active"), (data) =>
          Object.fromEntries(Object.keys(isRecord(data) ? data : {}).map((session) => [session, { type: "busy" }])),
        );
      case "session/children":
        return withBody(await get(`/api/session?parentID=${id}&limit=200`), (data) => data);
      case "session/message":
        return withBody(
          await get(`/api/session/${id}/message?limit=${request.path.includes("limit=1") ? 1 : 200}`),
          (data) =>
            // Newest first, as its own page reads them.
            listOf(data)
              .reverse()
              .flatMap((message) => {
                const read = SecondMessage.safeParse(message);
                return (read.success && storedMessage(read.data, id)) || [];
              }),
        );
      case "permission/":
        return withBody(await get(`/api/permission/request?${at}`), (data) =>
          listOf(data).flatMap((asked) => {
            const read = SecondPermission.safeParse(asked);
            return read.success ? [permissionOf(read.data, directory, undefined)] : [];
          }),
        );
      case "question/":
        return withBody(await get(`/api/form/request?${at}`), (data) =>
          listOf(data).flatMap((form) => {
            const read = SecondForm.safeParse(form);
            return read.success ? [questionOf(read.data)] : [];
          }),
        );
      default:
        throw new Error(`OpenCode 2 has no answer to GET ${request.path}`);
    }
  }

  async #create(request: Request, directory: string): Promise<Answer> {
    const { title } = isRecord(request.body) ? request.body : {};
    return withBody(
      await this.#ask({ ...request, path: "/api/session", body: { title, location: { directory } } }),
      (data) => data,
    );
  }

  async #prompt(request: Request, session: string): Promise<Answer> {
    const { parts, model, agent, variant, system } = isRecord(request.body) ? request.body : {};
    const { providerID, modelID } = isRecord(model) ? model : {};
    const settings: [route: string, body: object | undefined][] = [
      ["agent", agent === undefined ? undefined : { agent }],
      ["model", { model: { providerID, id: modelID, ...(variant === undefined ? {} : { variant }) } }],
      ["instructions/entries/muster", system === undefined ? undefined : { value: system }],
    ];
    for (const [route, body] of settings) {
      const key = `${session}/${route}`;
      const wanted = JSON.stringify(body);
      if (body === undefined || this.#set.get(key) === wanted) continue;
      const method = route.startsWith("instructions/") ? "PUT" : "POST";
      const answer = await this.#ask({ ...request, method, path: `/api/session/${session}/${route}`, body });
      if (answer.status >= 300) return answer;
      this.#set.set(key, wanted);
    }
    const pieces = listOf(parts).filter(isRecord);
    const text = pieces.flatMap((piece) => (typeof piece.text === "string" ? [piece.text] : [])).join("\n");
    const files = pieces.flatMap(({ url, filename }) =>
      typeof url === "string" ? [{ uri: url.startsWith("/") ? pathToFileURL(url).href : url, name: filename }] : [],
    );
    const prompt = { text, ...(files.length > 0 ? { files } : {}), delivery: "steer" };
    return this.#ask({ ...request, path: `/api/session/${session}/prompt`, body: prompt });
  }

  /** A request belongs to a session here, which may be a sub-agent's. */
  async #reply(
    request: Request,
    kind: "permission" | "form",
    id: string,
    bodyOf: (asked: unknown) => unknown,
  ): Promise<Answer> {
    const pending = await this.#ask({ path: `/api/${kind}/request?${located(request.directory ?? "")}` });
    const data = isRecord(pending.body) ? pending.body.data : [];
    const asked = listOf(data).find((one) => isRecord(one) && one.id === id);
    if (!isRecord(asked)) return { status: 404, body: undefined };
    const path = `/api/session/${asked.sessionID}/${kind}/${id}/reply`;
    return this.#ask({ ...request, path, body: bodyOf(asked) });
  }

  async #providers(get: (path: string) => Promise<Answer>, at: string) {
    const [models, standard] = [await get(`/api/model?${at}`), await get(`/api/model/default?${at}`)];
    const data = isRecord(models.body) ? models.body.data : [];
    const providers = new Map<string, Record<string, unknown>>();
    for (const model of listOf(data).filter(isRecord)) {
      const { id, providerID, name, limit, cost, variants, enabled } = model;
      if (typeof id !== "string" || typeof providerID !== "string" || enabled === false || !this.#isOffered(providerID))
        continue;
      const known = providers.get(providerID) ?? {};
      const [price] = listOf(cost);
      const named = Object.fromEntries(listOf(variants).flatMap((one) => (isRecord(one) ? [[one.id, one]] : [])));
      const entry = { id, name, limit: isRecord(limit) ? limit : undefined, cost: isRecord(price) ? price : undefined };
      providers.set(providerID, { ...known, [id]: { ...entry, variants: named } });
    }
    const first = isRecord(standard.body) && isRecord(standard.body.data) ? standard.body.data : {};
    const isStandard = typeof first.providerID === "string" && this.#isOffered(first.providerID);
    return {
      providers: [...providers].map(([id, entries]) => ({ id, models: entries })),
      default: isStandard ? { [String(first.providerID)]: first.id } : {},
    };
  }

  #isOffered(providerID: string): boolean {
    return this.#offersFree || providerID !== "opencode";
  }

  #ask({ directory: _, ...request }: Request): Promise<Answer> {
    return super.ask(request);
  }
}

const noAnswer = "The user did not answer this. Go on without it, or say what you need.";

/** A question that is declined is answered with that: dismissing it would end the turn here. */
function answersOf(form: unknown, body: unknown): Record<string, unknown> {
  const read = SecondForm.safeParse(form);
  const answers = isRecord(body) && Array.isArray(body.answers) ? body.answers : undefined;
  if (!read.success) return {};
  return Object.fromEntries(
    read.data.fields.map(({ key, type, options = [] }, at) => {
      const labels = answers === undefined ? [noAnswer] : listOf(answers[at]).map(String);
      const values = labels.map((label) => options.find((option) => option.label === label)?.value ?? label);
      return [key, type === "multiselect" ? values : values.join(", ")];
    }),
  );
}

const firstNames: Readonly<Record<string, string>> = { shell: "bash" };

function firstAgent(agent: unknown): unknown {
  const { id, mode, hidden, description, permissions } = isRecord(agent) ? agent : {};
  const permission = listOf(permissions).flatMap((rule) => {
    if (!isRecord(rule)) return [];
    const { action, resource, effect } = rule;
    return [{ permission: firstNames[String(action)] ?? action, pattern: resource, action: effect }];
  });
  return { name: id, mode, hidden, description, permission };
}

function withBody({ status, body }: Answer, convert: (data: unknown) => unknown): Answer {
  return status === 200 && isRecord(body) ? { status, body: convert(body.data) } : { status, body };
}

function located(directory: string): string {
  return new URLSearchParams({ "location[directory]": directory }).toString();
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? [...value] : [];
}
