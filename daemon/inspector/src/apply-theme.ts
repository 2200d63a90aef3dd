import { applyTheme } from "@muster/web-parts/theme";

applyTheme();
