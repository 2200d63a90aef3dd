import { ModeName, PermissionPolicy, ThemeSetting, VariantSetting } from "@muster/codebuff-protocol";
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
  const theme = ThemeSetting.safeParse(value);
  if (key !== "theme" || !theme.success) return;
  chat.themeChoice = theme.data;
  if (theme.data !== "auto") chat.setTheme(theme.data);
}
