import type { TurnPlace } from "@muster/schema";

/** Where a conversation is forked. An agent goes by the name it knows: of what stays, or of what goes. */
export interface ForkPoint {
  nativeSessionId: string;
  /** Where the agent worked; the fork works in the directory of the options. */
  directory: string;
  /** The last thing that stays; absent where its turn was cut short. */
  keep?: string | undefined;
  /** The first thing that goes; absent where nothing does, or where nobody knows. */
  drop?: string | undefined;
  /** Nothing goes: a copy of all there is. */
  isWhole: boolean;
  /** Ids of the messages that go. */
  dropped: readonly string[];
  /** The turns that stay, oldest first. */
  places: readonly TurnPlace[];
}

export interface ForkedConversation {
  nativeSessionId: string;
  /** Where the turns that stay stand in the fork, where it has names of its own. */
  places?: readonly TurnPlace[] | undefined;
}

/** Why a conversation cannot be forked there. Nothing has changed. */
export class ForkFailure extends Error {
  override readonly name = "ForkFailure";
}
