/** Where a key comes from. */
export type KeySource =
  | { readonly token: string }
  | { readonly env: string }
  | { readonly file: string }
  | { readonly command: string };
