import { ModeName, PermissionPolicy, VariantSetting } from "@muster/codebuff-protocol";
import { z } from "zod";
import type { RunOptions } from "../run-options.ts";
import type { ResolvedSettings } from "./resolve-settings.ts";

const Keys = z.record(z.string(), z.string());

/** A run as it was asked for, with what the environment and the files say where no flag does. */
export function applySettings(options: RunOptions, { settings }: ResolvedSettings): RunOptions {
  const text = (key: string) => {
    const value = settings.find((one) => one.key === key)?.value;
    return value === undefined ? undefined : String(value);
  };
  const steps = settings.find(({ key, source }) => key === "maxAgentSteps" && source !== "default")?.value;
  return {
    ...options,
    mode: ModeName.safeParse(text("mode")?.toUpperCase()).data ?? options.mode,
    model: text("model") ?? options.model,
    variant: VariantSetting.safeParse(text("variant")).data ?? options.variant,
    provider: text("provider") ?? options.provider,
    permissions: PermissionPolicy.safeParse(text("permissions.mode")).data ?? options.permissions,
    theme: text("theme") ?? options.theme,
    vim: text("vim") === undefined ? options.vim : text("vim") === "true",
    keys: Keys.safeParse(settings.find(({ key }) => key === "keys")?.value).data ?? options.keys,
    maxSteps: typeof steps === "number" ? steps : options.maxSteps,
  };
}
