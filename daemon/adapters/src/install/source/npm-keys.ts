import { z } from "zod";

/** A public key a registry signs its packages with, as its `-/npm/v1/keys` gives it. */
export const RegistryKey = z.object({
  keyid: z.string(),
  /** Packages published later are not signed with it. */
  expires: z.string().nullish(),
  keytype: z.string().optional(),
  /** SubjectPublicKeyInfo, DER in base64. */
  key: z.string(),
});
export type RegistryKey = z.infer<typeof RegistryKey>;

/** Of registry.npmjs.org, so that a signature of it is checked by keys nobody on the way could have exchanged. */
export const npmKeys: readonly RegistryKey[] = [
  {
    keyid: "SHA256:jl3bwswu80PjjokCgh0o2w5c2U4LhQAE57gj9cz1kzA",
    expires: "2025-01-29T00:00:00.000Z",
    key: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE1Olb3zMAFFxXKHiIkQO5cJ3Yhl5i6UPp+IhuteBJbuHcA5UogKo0EWtlWwW6KSaKoTNEYL7JlCQiVnkhBktUgg==",
  },
  {
    keyid: "SHA256:DhQ8wR5APBvFHLF/+Tc+AYvPOdTpcIDqOhxsBHRwC7U",
    expires: null,
    key: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEY6Ya7W++7aUPzvMTrezH6Ycx3c+HOKYCcNGybJZSCJq/fd7Qa8uuAKtdIkUQtQiEKERhAmE5lMMJhP8OkDOa2g==",
  },
];
