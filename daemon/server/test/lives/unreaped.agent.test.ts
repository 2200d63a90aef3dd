import { Conversation } from "@muster/conformance";
import { startScriptedLlm } from "@muster/scripted-llm";
import { describe, expect, onTestFinished } from "vitest";
import { everyAgent } from "../agents/every-agent.ts";
import { testsOf } from "../agents/installed-agent.ts";
import { hasNamespaces, UnreapedDaemon } from "./unreaped-daemon.ts";

describe.runIf(hasNamespaces)("where process 1 reaps nobody, as in a container without an init", async () => {
  for (const agent of ["codebuff", "claude", "codex", "opencode", "amp"] as const) {
    const { program, test } = await testsOf(agent);
    test(`the real ${agent} goes on with its memory after each SIGKILL of its daemon`, async () => {
      const { settings, script } = everyAgent[agent];
      const yes = { turns: [{ text: "Yes.", times: "always" as const }] };
      const conversations = [...(script?.conversations ?? []), yes];
      const llm = await startScriptedLlm({ script: { ...script, conversations } });
      onTestFinished(() => llm.close());
      const daemon = await UnreapedDaemon.start(["--agent-source", `${agent}=path:${program?.path}`]);
      onTestFinished(() => daemon.remove());
      const body = { agent, directory: daemon.path, baseUrl: llm.url, ...settings };
      const talk = await Conversation.open(daemon.api, body);
      expect((await talk.say("the word is heron")).end.status).toBe("completed");
      await talk.leave();
      for (const message of ["and once more", "and the last time"]) {
        const api = await daemon.killAndStart();
        // Without one of them left this would show nothing.
        await expect.poll(() => daemon.zombies().length, { timeout: 30_000 }).toBeGreaterThan(0);
        await api.ask("PATCH", talk.path, { token: settings.token });
        const again = new Conversation(api, talk.sessionId);
        expect((await again.say(message)).end).toMatchObject({ status: "completed" });
        const said = JSON.stringify(llm.requests().filter((request) => JSON.stringify(request.body).includes(message)));
        expect(said).toContain("the word is heron");
        await again.leave();
      }
    });
  }
});
