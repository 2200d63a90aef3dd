import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { testServer } from "./mcp-tools.mjs";

await testServer().connect(new StdioServerTransport());
