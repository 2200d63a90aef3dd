export interface Demo {
  readonly url: string;
  close(): Promise<void>;
}

/** A model that follows a script: any request gets an answer, offline. Loaded only when asked for. */
export async function startDemoModel(): Promise<Demo> {
  const { startScriptedLlm } = await import("@muster/scripted-llm");
  return startScriptedLlm({
    script: {
      conversations: [
        {
          name: "demo",
          each: "prompt",
          turns: [
            {
              text: "Hello! This is the demo of the Codebuff server: the words come from a script on this machine.",
              usage: { input: 1200, output: 24, cost: 0.004 },
              times: "always",
            },
          ],
        },
      ],
    },
  });
}
