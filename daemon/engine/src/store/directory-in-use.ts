/** The data directory belongs to another daemon that is alive. */
export class DirectoryInUse extends Error {
  override readonly name = "DirectoryInUse";
}
