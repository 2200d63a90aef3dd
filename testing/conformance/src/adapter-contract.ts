import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Adapter, type AgentHost, type OpenOptions, SharedServers, type Signal } from "@muster/adapters";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LifeUnderTest } from "./life-under-test.ts";

/** What every adapter promises, by the title of its test. */
export type AdapterPromise =
  | "tells what it is"
  | "answers a prompt and finishes the turn by its message"
  | "takes one prompt after the other"
  | "ends its events with agent.exited after close"
  | "rejects commands once it has ended"
  | "is read by one reader"
  | "leaves no process behind"
  | "stops at an interrupt"
  | "asks for permission and obeys the answer"
  | "asks questions and hears the answer"
  | "takes a steering message into its turn"
  | "remembers the conversation in its next life"
  | "tells when it ended by itself"
  | "refuses options it does not know";

export interface AdapterContractOptions {
  /** Prompts that make this agent do what is to be seen. */
  prompts: {
    answer: string;
    slow?: string;
    permission?: string;
    question?: string;
    /** Makes the process end in the middle of its turn. */
    crash?: string;
    /** Asks for something said in an earlier prompt. */
    recall?: { tell: string; ask: string; contains: string };
  };
  /** Further settings of every life: a model endpoint, a token, the agent's own options. */
  open?: Partial<OpenOptions>;
  /** promise → why this agent cannot keep it. Skipped, and the reason is in the title. */
  exceptions?: Partial<Record<AdapterPromise, string>>;
}

/** What a promise shows of an agent: it is kept by those that claim it, and by no others. */
const shown: Partial<Record<AdapterPromise, "interrupt" | "permissions" | "questions" | "steer" | "resume">> = {
  "stops at an interrupt": "interrupt",
  "asks for permission and obeys the answer": "permissions",
  "asks questions and hears the answer": "questions",
  "takes a steering message into its turn": "steer",
  "remembers the conversation in its next life": "resume",
};

/** One contract for all adapters, kept by real processes. Call it inside a test file. */
export function adapterContract(
  adapter: Adapter,
  { prompts, open = {}, exceptions = {} }: AdapterContractOptions,
): void {
  let folder = "";
  let host: AgentHost;

  const promise = (title: AdapterPromise, run: () => Promise<void>) => {
    const reason = exceptions[title];
    const capability = shown[title];
    if (capability && adapter.capabilities[capability] !== (reason === undefined)) {
      throw new Error(`${adapter.id} says that ${capability} is ${adapter.capabilities[capability]}: ${title}`);
    }
    if (reason === undefined) it(title, run);
    else it.skip(`${title} (not: ${reason})`, run);
  };
  const needs = <T>(value: T | undefined, what: string): T => {
    if (value !== undefined) return value;
    throw new Error(`Give prompts.${what}, or list the promise under exceptions with a reason`);
  };
  const begin = async (more: Partial<OpenOptions> = {}) => {
    const options: OpenOptions = {
      sessionId: `contract-${randomUUID()}`,
      directory: folder,
      permissionMode: "default",
      env: {},
      mcp: {},
      agentOptions: {},
      ...open,
      ...more,
    };
    return new LifeUnderTest(await adapter.open(host, options));
  };
  const inLife = async (run: (life: LifeUnderTest) => Promise<void>, more: Partial<OpenOptions> = {}) => {
    const life = await begin(more);
    try {
      await run(life);
    } finally {
      await life.agent.close({ graceMs: 500 });
    }
  };

  describe(`the adapter ${adapter.id}`, () => {
    beforeAll(async () => {
      folder = await realpath(await mkdtemp(join(tmpdir(), "muster-adapter-")));
      // Agents have a temporary folder that their home is not in, as on a person's machine: Codex 0.166.0 makes no aliases of
      // itself for a home in there, and without them its sandbox does not start on a busy machine.
      const temporary = join(folder, "tmp");
      await mkdir(temporary);
      host = {
        env: { ...process.env, TMPDIR: temporary },
        home: folder,
        dataDirectory: folder,
        livesDirectory: join(folder, "lives"),
        servers: new SharedServers({ lingerMs: 0 }),
        redact: (text) => text,
        log: () => {},
      };
    });
    afterAll(async () => {
      await host.servers.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    });

    promise("tells what it is", async () => {
      const info = await adapter.info(host);
      expect(info).toMatchObject({ id: adapter.id, name: adapter.name, capabilities: adapter.capabilities });
      expect((await adapter.models(host)).filter((model) => model.default).length).toBeLessThanOrEqual(1);
      expect(Array.isArray(await adapter.modes(host))).toBe(true);
    });

    promise("answers a prompt and finishes the turn by its message", () =>
      inLife(async (life) => {
        const turn = await life.prompt(prompts.answer, "m-1");
        expect(turn.at(-1)).toMatchObject({ type: "turn.finished", data: { status: "completed" } });
        const finished = turn.at(-1);
        if (finished?.type === "turn.finished" && finished.data.messageIds) {
          expect(finished.data.messageIds).toContain("m-1");
        }
        expect(turn.some(({ type }) => type === "item.completed")).toBe(true);
      }),
    );

    promise("takes one prompt after the other", () =>
      inLife(async (life) => {
        const first = await life.prompt(prompts.answer, "m-1");
        const second = await life.prompt(prompts.answer, "m-2");
        const ids = (turn: Signal[]) =>
          turn.flatMap((signal) => (signal.type === "item.started" ? [signal.data.item.itemId] : []));
        expect(ids(second).filter((id) => ids(first).includes(id))).toEqual([]);
      }),
    );

    promise("ends its events with agent.exited after close", async () => {
      const life = await begin();
      await life.prompt(prompts.answer, "m-1");
      await life.agent.close({ graceMs: 2_000 });
      const last = (await life.all()).at(-1);
      expect(last).toMatchObject({ type: "agent.exited", data: { expected: true } });
      await life.agent.close();
    });

    promise("rejects commands once it has ended", async () => {
      const life = await begin();
      await life.agent.close({ graceMs: 500 });
      await expect(life.send(prompts.answer, "m-1")).rejects.toThrow();
    });

    promise("is read by one reader", () =>
      inLife(async (life) => {
        expect(() => life.agent.events[Symbol.asyncIterator]()).toThrow();
      }),
    );

    promise("leaves no process behind", async () => {
      const life = await begin();
      await life.send(prompts.slow ?? prompts.answer, "m-1");
      await life.agent.close({ graceMs: 0 });
      await life.all();
      if (!adapter.capabilities.sharedServer || open.agentOptions?.shared !== true) {
        expect(await readdir(host.livesDirectory)).toEqual([]);
      }
    });

    promise("stops at an interrupt", () =>
      inLife(async (life) => {
        await life.send(needs(prompts.slow, "slow"), "m-1");
        await life.until(({ type }) => type === "item.delta" || type === "item.started");
        await life.agent.send({ type: "interrupt" });
        const finished = await life.until(({ type }) => type === "turn.finished");
        expect(finished).toMatchObject({ data: { status: "interrupted" } });
      }),
    );

    promise("asks for permission and obeys the answer", () =>
      inLife(async (life) => {
        for (const decision of ["allow", "reject"] as const) {
          await life.send(needs(prompts.permission, "permission"), `m-${decision}`);
          const asked = await life.until(({ type }) => type === "permission.asked");
          if (asked.type !== "permission.asked") return;
          expect(asked.data.alwaysScope.length).toBeGreaterThan(0);
          await life.agent.send({ type: "permission", requestKey: asked.data.requestKey, decision });
          await life.until(({ type }) => type === "turn.finished");
          const results = life.seen.filter((signal) => signal.type === "item.completed");
          const result = results
            .flatMap(({ data }) => data.item.content)
            .findLast((part) => part.type === "tool_result");
          expect(result?.isError, JSON.stringify(result)).toBe(decision === "reject");
        }
      }),
    );

    promise("asks questions and hears the answer", () =>
      inLife(async (life) => {
        await life.send(needs(prompts.question, "question"), "m-1");
        const asked = await life.until(({ type }) => type === "question.asked");
        if (asked.type !== "question.asked") return;
        const answers = asked.data.questions.map(({ options }) => [options[0]?.label ?? "yes"]);
        await life.agent.send({ type: "question", requestKey: asked.data.requestKey, answers });
        expect(await life.until(({ type }) => type === "turn.finished")).toMatchObject({
          data: { status: "completed" },
        });
      }),
    );

    promise("takes a steering message into its turn", () =>
      inLife(async (life) => {
        await life.send(needs(prompts.slow, "slow"), "m-1");
        await life.until(({ type }) => type === "item.delta" || type === "item.started");
        await life.agent.send({ type: "steer", messageId: "m-2", text: "and hurry", attachments: [] });
        const joined = await life.until(({ type }) => type === "message.joined");
        expect(joined).toMatchObject({ data: { messageId: "m-2" } });
      }),
    );

    promise("remembers the conversation in its next life", async () => {
      const { tell, ask, contains } = needs(prompts.recall, "recall");
      const life = await begin();
      await life.prompt(tell, "m-1");
      // An agent may learn its id late: what it told last counts, and its life knows it too.
      const told = life.seen.flatMap((signal) => (signal.type === "session.updated" ? [signal.data] : []));
      const nativeSessionId =
        told.findLast((data) => data.nativeSessionId !== undefined)?.nativeSessionId ?? life.agent.nativeSessionId;
      expect(life.agent.nativeSessionId).toBe(nativeSessionId);
      await life.agent.close({ graceMs: 2_000 });
      const totals = { usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0 };
      const resume = { nextItem: 50, totals, nativeSessionId };
      await inLife(
        async (next) => {
          expect(next.agent.contextLost ?? false).toBe(false);
          const turn = await next.prompt(ask, "m-2");
          expect(JSON.stringify(turn)).toContain(contains);
          const started = turn.flatMap((signal) => (signal.type === "item.started" ? [signal.data.item.itemId] : []));
          expect(started).toContain("item_50");
        },
        { resume },
      );
    });

    promise("tells when it ended by itself", async () => {
      const life = await begin();
      await life.send(needs(prompts.crash, "crash"), "m-1");
      expect((await life.all()).at(-1)).toMatchObject({ type: "agent.exited", data: { expected: false } });
      await expect(life.send(prompts.answer, "m-2")).rejects.toThrow();
      await life.agent.close();
    });

    promise("refuses options it does not know", async () => {
      const agentOptions = { "no-such-option": true };
      const checked = adapter.check({ agent: adapter.id, agentOptions });
      await expect(checked).rejects.toMatchObject({ code: "unsupported_option" });
    });
  });
}
