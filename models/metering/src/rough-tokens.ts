/** Characters that make a token, on average. By it is owed what a service did not tell; the SDK and every gateway reckon alike. */
export const charactersPerToken = 4;
