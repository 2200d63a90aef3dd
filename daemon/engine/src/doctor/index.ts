export { examineDirectory } from "./examine-directory.ts";
export type { DoctorReport, Finding, SessionReport } from "./report.ts";
