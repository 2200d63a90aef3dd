import { applyTheme } from "./theme.ts";

applyTheme();
