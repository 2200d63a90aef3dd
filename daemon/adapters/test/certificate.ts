import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeDirectory } from "./host.ts";

/** A certificate for `localhost` that nobody trusts unless told to. */
export function makeCertificate(): { key: string; cert: string; certFile: string } {
  const folder = makeDirectory();
  const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  execFileSync("openssl", ["req", "-x509", ...made, "-keyout", keyFile, "-out", certFile, ...subject], {
    stdio: "ignore",
  });
  return { key: readFileSync(keyFile, "utf8"), cert: readFileSync(certFile, "utf8"), certFile };
}
