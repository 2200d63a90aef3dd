import type { Integrity } from "./integrity.ts";
import type { PlatformNames } from "./platform.ts";

/** Where the program of one agent comes from. */
export interface Release {
  readonly id: string;
  readonly name: string;
  /** What it is called on PATH. */
  readonly command: string;
  /** The version our recordings and tests are of: the one that is installed unless another is asked for. */
  readonly tested?: string;
  /** Major versions that the adapter drives: with another one an agent may speak another language. */
  readonly majors: readonly number[];
  /** What PATH has under this name is somebody else's program. */
  readonly isNotOnPath?: true;
  /** Tried in this order. */
  readonly sources: readonly ReleaseSource[];
}

export type ReleaseSource = VendorSource | NpmSource | WorkspaceSource | BuiltInSource;

/** The vendor's own download. */
export interface VendorSource {
  readonly kind: "vendor";
  readonly platforms: PlatformNames;
  /** Without a version: the newest. */
  resolve(ask: Ask, platform: string, version: string | undefined): Promise<Artifact>;
}

/** The package of one platform in the npm registry. */
export interface NpmSource {
  readonly kind: "npm";
  /** The package people install; its `latest` is the newest version. */
  readonly wrapper: string;
  readonly platforms: PlatformNames;
  packageOf(platform: string, version: string): { name: string; version: string };
  /** The program inside the package. */
  program(platform: string): string;
}

/** A command of the packages this daemon is installed with. */
interface WorkspaceSource {
  readonly kind: "workspace";
  /** The package it belongs to: another one may have a command of the same name. */
  readonly package: string;
}

/** A program that is part of this daemon. */
export interface BuiltInSource {
  readonly kind: "built-in";
  readonly version: string;
  readonly path: string;
}

/** One file to download, and how it becomes a program. */
export interface Artifact {
  version: string;
  url: string;
  headers?: Readonly<Record<string, string>>;
  packing: "plain" | "tar.gz";
  /** Absent: nobody vouches for it; the hash of the first install is what later ones are held to. */
  integrity?: Integrity;
  /** The program inside the archive. */
  member: string;
  /** The program once installed. */
  program: string;
  /** A manifest inside the archive, and the version it must name. */
  manifest?: { member: string; version: string };
}

/** Small documents of a vendor: versions, checksums. */
export interface Ask {
  text(url: string): Promise<string>;
  /** undefined where the server says that there is none. */
  optionalText(url: string): Promise<string | undefined>;
}
