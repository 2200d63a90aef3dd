/** A crash gives the terminal back before it is told; without it the person's shell would not echo any more. */
export function restoreOnCrash(restore: () => void): () => void {
  const onCrash = (error: unknown) => {
    restore();
    process.stderr.write(`codebuff: ${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  };
  const onHangup = () => {
    restore();
    process.exit(129);
  };
  process.on("uncaughtException", onCrash);
  process.on("unhandledRejection", onCrash);
  process.on("SIGHUP", onHangup);
  return () => {
    process.off("uncaughtException", onCrash);
    process.off("unhandledRejection", onCrash);
    process.off("SIGHUP", onHangup);
  };
}
