"use strict";
/**
 * Runs the code of a bundle and leaves its code cache when the process ends: `record-code-cache.cjs <code> <cache> [args]`.
 * A cache that is there already is taken along, so that several runs add up.
 */
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { dirname } = require("node:path");
const { Script } = require("node:vm");

const [, code, cache] = process.argv.splice(1, 3);
process.argv.splice(1, 0, code);
const cachedData = existsSync(cache) ? readFileSync(cache) : undefined;
const script = new Script(readFileSync(code, "latin1"), { filename: code, cachedData });
process.on("exit", () => writeFileSync(cache, script.createCachedData()));
script.runInThisContext()(require, module, exports, code, dirname(code), (url) => import(url));
