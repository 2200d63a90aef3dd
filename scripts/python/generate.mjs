/** What of the Python SDK is derived from the schemas: path → text. */
import { callsOf, methodsModule, operationsModule, sessionOptions } from "./methods.mjs";
import { PythonTypes } from "./types.mjs";

export function pythonFiles({ schema, openapi, operations, command }) {
  const types = new PythonTypes(schema.$defs);
  for (const name of Object.keys(schema.$defs)) types.declare(name);
  const calls = callsOf(operations, openapi, types);
  const folder = "python/muster/generated";
  const head = `# made by ${command}\n`;
  return {
    [`${folder}/__init__.py`]: head,
    [`${folder}/version.py`]: `${head}VERSION = "${openapi.info.version}"\n`,
    [`${folder}/types.py`]: `${head}${typesModule(types, calls)}`,
    [`${folder}/operations.py`]: `${head}${operationsModule(calls)}`,
    [`${folder}/methods.py`]: `${head}${methodsModule(calls, { isAsync: false })}`,
    [`${folder}/async_methods.py`]: `${head}${methodsModule(calls, { isAsync: true })}`,
  };
}

function typesModule(types, calls) {
  return `"""The shapes of the API. Every value is a plain dict: a newer daemon may send types and fields not listed here."""
from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union

${types}

${sessionOptions(calls)}`;
}
