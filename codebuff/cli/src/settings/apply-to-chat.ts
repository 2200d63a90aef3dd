import { ModeName, PermissionPolicy, VariantSetting } from "@muster/codebuff-protocol";
import type { Chat } from "../chat/chat.ts";
import { switchPolicy } from "../permissions/policy-switch.ts";

/** A setting that was just kept holds in this chat too, where it has one. */
export function applyToChat(chat: Chat, key: string, value: string): void {
  if (key === "model") chat.change({ model: value });
  const mode = ModeName.safeParse(value.toUpperCase());
  if (key === "mode" && mode.success) chat.change({ mode: mode.data });
  const variant = VariantSetting.safeParse(value);
  if (key === "variant" && variant.success) chat.change({ variant: variant.data });
  const policy = PermissionPolicy.safeParse(value);
  if ((key === "permissions" || key === "permissions.mode") && policy.success) switchPolicy(chat, policy.data);
  if (key === "vim") chat.view.setVim?.(value === "true");
  if (key !== "theme") return;
  chat.themeChoice = value;
  if (value !== "auto") chat.setTheme(value);
}
