import type { Generator } from "./generated-client.ts";

const head = `const endpoint = process.env.ENDPOINT ?? "";
const headers = { authorization: "Bearer " + process.env.TOKEN };
`;

/** Five that are used most for TypeScript. */
export const generators = {
  "openapi-typescript": {
    packages: ["openapi-typescript@7.13.0", "openapi-fetch@0.17.0"],
    command: (document) => ["openapi-typescript/bin/cli.js", document, "-o", "api/index.ts"],
    program: `import createClient from "openapi-fetch";
import type { components, paths } from "./api/index.ts";
${head}
const client = createClient<paths>({ baseUrl: endpoint, headers });
const path = { sessionId: "ots" };
const { data } = await client.POST("/sessions/{sessionId}", { params: { path }, body: { agent: "mock" } });
const { data: list } = await client.GET("/sessions");
const { error } = await client.GET("/sessions/{sessionId}", { params: { path: { sessionId: "none" } } });
// @ts-expect-error a session is not created without a body
void (() => client.POST("/sessions/{sessionId}", { params: { path } }));
const name = (event: components["schemas"]["UniversalEvent"]) => (event.type === "turn.ended" ? event.data.durationMs : 0);
console.log(data?.session.agent, list?.sessions.length, error?.code, typeof name);
`,
  },
  "@hey-api/openapi-ts": {
    packages: ["@hey-api/openapi-ts@0.99.0"],
    command: (document) => ["@hey-api/openapi-ts/bin/run.js", "-i", document, "-o", "api"],
    program: `import { client } from "./api/client.gen";
import { sessionsCreate, sessionsGet, sessionsList, type UniversalEvent } from "./api";
${head}
client.setConfig({ baseUrl: endpoint as "http://127.0.0.1:2468", headers });
const path = { sessionId: "hey" };
const { data } = await sessionsCreate({ path, body: { agent: "mock" } });
const { data: list } = await sessionsList();
const { error } = await sessionsGet({ path: { sessionId: "none" } });
// @ts-expect-error a session is not created without a body
void (() => sessionsCreate({ path }));
const name = (event: UniversalEvent) => (event.type === "turn.ended" ? event.data.durationMs : 0);
console.log(data?.session.agent, list?.sessions.length, error?.code, typeof name);
`,
  },
  orval: {
    packages: ["orval@8.33.0"],
    command: (document) => [
      "orval/dist/bin/orval.mjs",
      "--input",
      document,
      "--output",
      "api/index.ts",
      "--client",
      "fetch",
    ],
    program: `import { sessionsCreate, sessionsGet, sessionsList, type UniversalEvent } from "./api/index.ts";
${head}
// Its functions ask for paths, which a page has a place for.
const real = globalThis.fetch;
globalThis.fetch = (input, init) => real(new URL(String(input), endpoint), init);
const created = await sessionsCreate("orval", { agent: "mock" }, undefined, { headers });
const list = await sessionsList(undefined, { headers });
const none = await sessionsGet("none", { headers });
// @ts-expect-error a session is not created without a body
void (() => sessionsCreate("orval"));
const name = (event: UniversalEvent) => (event.type === "turn.ended" ? event.data.durationMs : 0);
const agent = created.status === 201 ? created.data.session.agent : created.status;
console.log(agent, list.status === 200 && list.data.sessions.length, none.status === 404 && none.data.code, typeof name);
`,
  },
  "swagger-typescript-api": {
    packages: ["swagger-typescript-api@13.13.0"],
    command: (document) => [
      "swagger-typescript-api/dist/cli.mjs",
      "generate",
      "-p",
      document,
      "-o",
      "api",
      "-n",
      "index.ts",
    ],
    program: `import { Api, type Problem, type UniversalEvent } from "./api/index.ts";
${head}
const api = new Api({ baseUrl: endpoint, baseApiParams: { headers } });
const { data } = await api.sessions.sessionsCreate("sta", { agent: "mock" });
const { data: list } = await api.sessions.sessionsList();
const problem: Problem = await api.sessions.sessionsGet("none").then(
  () => { throw new Error("it is there"); },
  async (response: Response & { error?: Problem }) => response.error ?? ((await response.json()) as Problem),
);
// @ts-expect-error a session is not created without a body
void (() => api.sessions.sessionsCreate("sta"));
const name = (event: UniversalEvent) => (event.type === "turn.ended" ? event.data.durationMs : 0);
console.log(data.session.agent, list.sessions.length, problem.code, typeof name);
`,
  },
  "openapi-zod-client": {
    packages: ["openapi-zod-client@1.18.3"],
    command: (document) => [
      "openapi-zod-client/bin.js",
      document,
      "-o",
      "api/index.ts",
      "--with-alias",
      "--export-schemas",
    ],
    program: `import { createApiClient, schemas } from "./api/index.ts";
${head}
const api = createApiClient(endpoint, { axiosConfig: { headers }, validate: true });
const created = await api["sessions.create"]({ agent: "mock" }, { params: { sessionId: "ozc" } });
const list = await api["sessions.list"]();
const problem: { code?: string } = await api["sessions.get"]({ params: { sessionId: "none" } }).then(
  () => ({}),
  (error: { response: { data: { code: string } } }) => error.response.data,
);
// @ts-expect-error a session is not created without a body
void (() => api["sessions.create"](undefined, { params: { sessionId: "ozc" } }));
console.log(created.session.agent, list.sessions.length, problem.code, typeof schemas.UniversalEvent.parse);
`,
  },
} as const satisfies Record<string, Generator>;
