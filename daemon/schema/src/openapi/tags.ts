/** The subjects of the operations, as a reader of the document sees them. */
export const tags = [
  { name: "daemon", description: "The daemon itself" },
  { name: "agents", description: "The agents it can drive, their models and modes" },
  { name: "sessions", description: "Conversations with agents: messages, events, questions and permissions" },
  { name: "events", description: "Events of many sessions" },
  { name: "ui", description: "For useChat of the AI SDK" },
  { name: "credentials", description: "The keys and logins that were found" },
  { name: "tickets", description: "Access for web pages that must not know the token" },
  { name: "tokens", description: "Access tokens with a scope" },
  { name: "terminals", description: "Terminals of processes" },
  { name: "processes", description: "Programs beside the agents, their output, input and ports" },
  { name: "files", description: "Files of the machine, under the allowed roots" },
];

export function tagOf(operationId: string): string {
  return operationId.includes(".") ? operationId.slice(0, operationId.indexOf(".")) : "daemon";
}
