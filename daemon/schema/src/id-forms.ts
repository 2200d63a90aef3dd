/** Chosen by the client; also the name of its folder after encoding, so the alphabet is small. */
export const sessionIdForm = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

/** Chosen by the client or made by the daemon; makes sending the same message twice harmless. */
export const messageIdForm = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/;
