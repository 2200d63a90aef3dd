/** In the data directory. */
export const accessTokensFile = "access-tokens.json";
