import { connectSubscription, readUserConfig } from "@muster/codebuff-sdk";
import type { Chat } from "../chat/chat.ts";

/** Connects a subscription: an address to open, and the code that comes from there. */
export async function connect(chat: Chat, name: string): Promise<void> {
  const { oauth } = await readUserConfig(chat.io.home, (message) => chat.say(message, "warning"));
  const known = (["claude", "chatgpt"] as const).filter((one) => oauth[one] !== undefined);
  const chosen = known.find((one) => one === name) ?? (name === "" ? known[0] : undefined);
  const config = chosen === undefined ? undefined : oauth[chosen];
  if (chosen === undefined || config === undefined) {
    const said = name === "" ? "No subscription is configured." : `No subscription ${name} is configured.`;
    return chat.say(`${said} The field oauth of ~/.codebuff/config.json names its addresses and client id.`, "warning");
  }
  const pending = connectSubscription(chosen, config, { home: chat.io.home });
  chat.say(`Open ${pending.url}`);
  const answer = await chat.dialogs.choose({
    title: `The code that ${config.issuer ?? chosen} shows`,
    choices: [{ label: "The code", value: "code", takesText: true }],
    escape: "connects nothing",
  });
  if (answer === undefined) return;
  await pending.finish(answer.text);
  chat.say(`${chosen} is connected; its models are used from the next prompt on.`, "good");
}
