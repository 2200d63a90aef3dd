import { estimateTokens, type Message, messageTokens, type ToolDefinition } from "@muster/codebuff-protocol";

const ofMessage = new WeakMap<Message, number>();
const ofTools = new WeakMap<readonly ToolDefinition[], number>();

/** The estimate of messages; each one is measured once, so that a long history costs no more per step than a short one. */
export function messagesSize(messages: readonly Message[]): number {
  let sum = 0;
  for (const message of messages) {
    let tokens = ofMessage.get(message);
    if (tokens === undefined) {
      tokens = messageTokens(message);
      ofMessage.set(message, tokens);
    }
    sum += tokens;
  }
  return sum;
}

export function toolsSize(tools: readonly ToolDefinition[]): number {
  let tokens = ofTools.get(tools);
  if (tokens === undefined) {
    tokens = tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools));
    ofTools.set(tools, tokens);
  }
  return tokens;
}
