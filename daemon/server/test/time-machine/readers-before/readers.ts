// @ts-nocheck: JavaScript, as it was bundled.
// Three readers of a log as they were at commit 3c5dd135, before there were rewinds and forks: the messages of the engine, the
// fold of the inspector and the lines of the command. Bundled, never to be changed: a log of today has to be readable by them.
async function foldMessages(events) {
  const placed = [];
  const turns = /* @__PURE__ */ new Map();
  const open = /* @__PURE__ */ new Map();
  const sent = /* @__PURE__ */ new Map();
  const turnOf = (turnId) => {
    if (turnId === void 0) return turns.size;
    if (!turns.has(turnId)) turns.set(turnId, turns.size + 1);
    return turns.get(turnId) ?? 0;
  };
  for await (const event of events) {
    const { turnId, time: createdAt, sequence } = event;
    const add = (message) => {
      const entry = { message, turn: turnOf(message.turnId ?? turnId), at: sequence };
      placed.push(entry);
      return entry;
    };
    switch (event.type) {
      case "message.updated": {
        const { messageId, status, message, attachments = [] } = event.data;
        if (status === "queued") {
          const parts = [{ type: "text", text: message ?? "" }, ...attachments.map(attachmentPart)];
          const entry2 = add({ role: "user", messageId, status: "queued", parts, createdAt });
          sent.set(messageId, Object.assign(entry2, { turn: Number.POSITIVE_INFINITY }));
          break;
        }
        const entry = sent.get(messageId);
        if (!entry) break;
        const given = event.data.turnId ?? turnId;
        Object.assign(entry.message, { status: final[status], turnId: given });
        Object.assign(entry, { turn: turnOf(given), at: sequence });
        break;
      }
      case "item.started": {
        const { item } = event.data;
        if (item.role !== "user") open.set(item.itemId, add({ ...buildMessage(item), turnId, createdAt }).message);
        break;
      }
      case "item.completed": {
        const message = open.get(event.data.item.itemId);
        if (message) Object.assign(message, buildMessage(event.data.item));
        open.delete(event.data.item.itemId);
        break;
      }
      case "question.requested": {
        const { questionId } = event.data;
        const parts = [{ type: "text", text: questionText(event.data) }];
        const asked = {
          role: "assistant",
          messageId: questionId,
          status: "in_progress",
          parts,
          turnId,
          createdAt,
        };
        open.set(questionId, add(asked).message);
        break;
      }
      case "question.resolved": {
        const { questionId, status } = event.data;
        const question = open.get(questionId);
        if (question) question.status = status === "answered" ? "completed" : "cancelled";
        open.delete(questionId);
        const text = answerText(event.data);
        if (text === void 0) break;
        const parts = [{ type: "text", text }];
        add({ role: "user", messageId: `${questionId}_answer`, status: "completed", parts, turnId, createdAt });
        break;
      }
      case "agent.unparsed": {
        const { raw, error } = event.data;
        add({ role: "unparsed", messageId: `unparsed_${sequence}`, turnId, raw, error, createdAt });
        break;
      }
    }
  }
  return placed.sort((left, right) => left.turn - right.turn || left.at - right.at).map(({ message }) => message);
}
var final = { given: "completed", joined: "completed", cancelled: "cancelled", failed: "failed" };
var roles = {
  message: "assistant",
  reasoning: "assistant",
  tool_call: "assistant",
  tool_result: "tool",
  plan: "assistant",
  status: "system",
};
function buildMessage(item) {
  const role = item.role ?? roles[item.kind];
  return { role, messageId: item.itemId, status: item.status, parts: item.content };
}
function attachmentPart({ path, mime }) {
  return mime.startsWith("image/") ? { type: "image", mime, path } : { type: "file", path, action: "read" };
}
function questionText({ questions }) {
  return questions
    .map(({ question, body, options }) => [question, body, ...options.map(({ label }) => `- ${label}`)])
    .map((lines) => lines.filter((line) => line !== void 0).join("\n"))
    .join("\n\n");
}
function answerText({ status, answers, message }) {
  if (status === "rejected") return message ?? "(declined to answer)";
  if (status !== "answered") return void 0;
  return answers?.map((answer) => answer.join(", ") || "(no answer)").join("\n") ?? "(a secret answer)";
}

var WorkTimes = class {
  #workers = /* @__PURE__ */ new Map();
  /** Request → the item it was asked for. */
  #asked = /* @__PURE__ */ new Map();
  /** Takes the events of one session in their order. */
  push(event) {
    const at = Date.parse(event.time);
    switch (event.type) {
      case "item.started":
        return this.#start(event.data.item, at);
      case "item.completed":
        return this.#end(event.data.item.itemId, at);
      case "permission.requested":
        return this.#ask(event.data.permissionId, event.data.itemId, at);
      case "question.requested":
        return this.#ask(event.data.questionId, event.data.itemId, at);
      case "permission.resolved":
        return this.#answer(event.data.permissionId, at);
      case "question.resolved":
        return this.#answer(event.data.questionId, at);
      case "turn.ended":
        return this.#forgetEnded();
    }
  }
  /** The stretches of an item, the oldest first; none for one whose start was not seen, or whose turn is over. */
  of(itemId) {
    return this.#workers.get(itemId)?.stretches ?? [];
  }
  #start({ itemId, parentId }, from) {
    this.#workers.set(itemId, { parentId, stretches: [{ from }], waits: 0, isOver: false });
  }
  #end(itemId, to) {
    const worker = this.#workers.get(itemId);
    if (worker === void 0) return;
    pause(worker, to);
    worker.isOver = true;
  }
  #ask(requestId, itemId, at) {
    if (itemId === void 0) return;
    this.#asked.set(requestId, itemId);
    for (const worker of this.#upFrom(itemId)) if (worker.waits++ === 0) pause(worker, at);
  }
  #answer(requestId, from) {
    const itemId = this.#asked.get(requestId);
    this.#asked.delete(requestId);
    if (itemId === void 0) return;
    for (const worker of this.#upFrom(itemId)) {
      if (--worker.waits === 0 && !worker.isOver) worker.stretches.push({ from });
    }
  }
  /** A session may go on for weeks. */
  #forgetEnded() {
    for (const [itemId, { isOver }] of this.#workers) if (isOver) this.#workers.delete(itemId);
  }
  /** The item and those it is inside of. */
  *#upFrom(itemId) {
    const seen = /* @__PURE__ */ new Set();
    for (let at = itemId; at !== void 0 && !seen.has(at); ) {
      seen.add(at);
      const worker = this.#workers.get(at);
      if (worker !== void 0) yield worker;
      at = worker?.parentId;
    }
  }
};
function pause({ stretches }, to) {
  const last = stretches.at(-1);
  if (last !== void 0) last.to ??= to;
}

var Entries = class {
  #at = /* @__PURE__ */ new Map();
  #order = [];
  #children = /* @__PURE__ */ new Map();
  #rows;
  get(key) {
    return this.#at.get(key);
  }
  /** Adds it, or puts it in the place of the one with its key. */
  put(entry) {
    if (this.#at.has(entry.key)) this.replace(entry);
    else this.add(entry);
  }
  add(entry) {
    if (!this.#at.has(entry.key)) this.#siblings(entry).push(entry.key);
    this.replace(entry);
  }
  replace(entry) {
    this.#at.set(entry.key, entry);
    this.#rows = void 0;
  }
  all() {
    return [...this.#at.values()];
  }
  /** As they are drawn from top to bottom. */
  rows() {
    if (this.#rows !== void 0) return this.#rows;
    const rows = [];
    const add = (key, depth) => {
      const entry = this.#at.get(key);
      if (entry === void 0) return;
      rows.push({ entry, depth });
      for (const child of this.#children.get(key) ?? []) add(child, depth + 1);
    };
    for (const key of this.#order) add(key, 0);
    this.#rows = rows;
    return rows;
  }
  /** Where the parent is not known, because it lies before the first event that was read, it stands by itself. */
  #siblings({ parentId, key }) {
    const parent = parentId === void 0 ? void 0 : `i${parentId}`;
    if (parent === void 0 || parent === key || !this.#at.has(parent)) return this.#order;
    const siblings = this.#children.get(parent) ?? [];
    this.#children.set(parent, siblings);
    return siblings;
  }
};

function startItem({ time }, item) {
  return { item, startedAt: Date.parse(time), input: "", output: "" };
}
function endItem(event, item, begun) {
  const { output = "", startedAt = Date.parse(event.time), ...rest } = begun ?? {};
  return { ...rest, startedAt, output, input: "", item, endedAt: Date.parse(event.time), endSequence: event.sequence };
}
function appendDelta(view, { part, index, delta }) {
  if (part === "input") return { ...view, input: view.input + delta };
  if (part === "output") return { ...view, output: view.output + delta };
  const content = [...view.item.content];
  const known = content[index];
  const text = known !== void 0 && "text" in known ? known.text + delta : delta;
  content[index] = part === "text" ? { type: "text", text } : { type: "reasoning", text, visibility: "public" };
  for (let before = 0; before < index; before++) content[before] ??= { type: "text", text: "" };
  return { ...view, item: { ...view.item, content } };
}
function resultCallOf(item) {
  if (item.kind !== "tool_result") return void 0;
  return item.content.find((part) => part.type === "tool_result")?.callId;
}

var SessionFold = class {
  entries = new Entries();
  turns = /* @__PURE__ */ new Map();
  queued = /* @__PURE__ */ new Map();
  usage = [];
  #callOf = /* @__PURE__ */ new Map();
  #pending = /* @__PURE__ */ new Set();
  #times = new WorkTimes();
  plan = [];
  /** Where a file that came with a message lies → what it was called. */
  filenames = /* @__PURE__ */ new Map();
  commands = [];
  openTurn;
  lastSequence = 0;
  apply(event) {
    this.lastSequence = event.sequence;
    this.#times.push(event);
    switch (event.type) {
      case "item.started":
        return this.#onItem(event, event.data.item);
      case "item.completed":
        return this.#onItem(event, event.data.item);
      case "item.delta":
        return this.#onDelta(event);
      case "turn.started":
        return this.#onTurnStarted(event);
      case "turn.ended":
        return this.#onTurnEnded(event);
      case "message.updated":
        return this.#onMessage(event);
      case "question.requested":
      case "permission.requested":
        return this.#onRequest(event);
      case "question.resolved":
        return this.#resolve(event.data.questionId, event);
      case "permission.resolved":
        return this.#resolve(event.data.permissionId, event);
      case "plan.updated":
        this.plan = event.data.entries;
        return;
      case "usage.updated":
        this.usage.push({ time: Date.parse(event.time), turnId: event.turnId, usage: event.data });
        return;
      case "session.updated":
        return this.#onUpdated(event);
      case "session.started":
      case "session.ended":
      case "error":
      case "agent.unparsed":
      case "budget.warned":
      case "log.damaged":
        this.entries.add({ kind: "note", key: `n${event.sequence}`, sequence: event.sequence, event });
        return;
    }
  }
  /** Requests that wait for a person, the oldest first. */
  pending() {
    return [...this.#pending].map((key) => this.entries.get(key));
  }
  #onItem(event, item) {
    const callId = resultCallOf(item);
    if (item.kind === "tool_result" && event.type === "item.started") return;
    const call = callId === void 0 ? void 0 : this.#itemEntry(this.#callOf.get(callId));
    if (call !== void 0) {
      this.entries.replace({ ...call, view: { ...call.view, result: item, resultSequence: event.sequence } });
      return;
    }
    const known = this.#itemEntry(item.itemId);
    const begun = event.type === "item.started" ? startItem(event, item) : endItem(event, item, known?.view);
    const view = { ...begun, worked: this.#times.of(item.itemId) };
    for (const part of item.content) if (part.type === "tool_call") this.#callOf.set(part.callId, item.itemId);
    const sequence = known?.sequence ?? event.sequence;
    const { parentId } = item;
    this.entries.put({ kind: "item", key: itemKey(item.itemId), sequence, turnId: event.turnId, parentId, view });
  }
  #onDelta(event) {
    const known = this.#itemEntry(event.data.itemId);
    const entry = known ?? {
      kind: "item",
      key: itemKey(event.data.itemId),
      sequence: event.sequence,
      turnId: event.turnId,
      view: startItem(event, unseenItem(event.data)),
    };
    this.entries.put({ ...entry, view: appendDelta(entry.view, event.data) });
  }
  #onTurnStarted(event) {
    const { turnId } = event.data;
    this.openTurn = { turnId, startedAt: Date.parse(event.time), sequence: event.sequence };
    this.turns.set(turnId, this.openTurn);
  }
  #onTurnEnded(event) {
    const { turnId, durationMs } = event.data;
    const endedAt = Date.parse(event.time);
    const begun = this.turns.get(turnId) ?? { turnId, startedAt: endedAt - durationMs, sequence: event.sequence };
    const turn = { ...begun, endedAt, ended: event.data };
    this.turns.set(turnId, turn);
    if (this.openTurn?.turnId === turnId) this.openTurn = void 0;
    this.entries.add({ kind: "turn", key: `t${turnId}`, sequence: event.sequence, turnId, turn });
  }
  #onMessage({ data, sequence }) {
    const { messageId, status, message = "", attachments = [], delivery = "queue" } = data;
    for (const { path, filename } of attachments) if (filename !== void 0) this.filenames.set(path, filename);
    if (status !== "queued") this.queued.delete(messageId);
    else this.queued.set(messageId, { messageId, text: message, attachments: attachments.length, delivery, sequence });
    if (status === "failed" || status === "cancelled") {
      this.entries.add({ kind: "fate", key: `m${sequence}`, sequence, status, text: message });
    }
  }
  #onRequest(event) {
    const id = event.type === "question.requested" ? event.data.questionId : event.data.permissionId;
    const { sequence, turnId } = event;
    this.#pending.add(requestKey(id));
    this.entries.add({ kind: "request", key: requestKey(id), id, sequence, turnId, event });
  }
  #resolve(id, event) {
    const entry = this.entries.get(requestKey(id));
    this.#pending.delete(requestKey(id));
    if (entry?.kind === "request") this.entries.replace({ ...entry, resolved: event });
  }
  #onUpdated(event) {
    const { commands, agentState, nativeSessionId, agentVersion, ...settings } = event.data;
    if (commands !== void 0) this.commands = commands;
    if (Object.keys(settings).length === 0) return;
    this.entries.add({ kind: "note", key: `n${event.sequence}`, sequence: event.sequence, event });
  }
  #itemEntry(itemId) {
    const entry = itemId === void 0 ? void 0 : this.entries.get(itemKey(itemId));
    return entry?.kind === "item" ? entry : void 0;
  }
};
var itemKey = (itemId) => `i${itemId}`;
var requestKey = (id) => `r${id}`;
function unseenItem({ itemId, part }) {
  const kind = part === "reasoning" ? "reasoning" : part === "text" ? "message" : "tool_call";
  return { itemId, kind, role: "assistant", status: "in_progress", content: [] };
}

function printable(text) {
  return text.replace(/[^\P{Cc}\n\t]/gu, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

function eventLine(event) {
  const summary = summaries[event.type] ?? JSON.stringify;
  const text = `${event.sequence} ${event.time.slice(11, 23)} ${event.sessionId} ${event.type} ${summary(event.data)}`;
  return `${printable(text.trimEnd()).replaceAll("\n", "\\n")}
`;
}
var summaries = {
  "session.started": (data) => words(data.agent, data.agentVersion, data.model, data.permissionMode, data.directory),
  "session.updated": (data) => JSON.stringify(data),
  "session.ended": (data) => words(data.reason, `by ${data.terminatedBy}`, data.message),
  "message.updated": (data) => words(data.messageId, data.status, data.turnId),
  "turn.started": (data) => words(data.turnId, `by ${data.origin}`, ...data.messageIds),
  "turn.ended": (data) => words(data.turnId, data.status, data.cause, data.message),
  "item.started": ({ item }) => words(item.itemId, item.kind, item.role),
  "item.delta": (data) => words(data.itemId, data.part, JSON.stringify(data.delta)),
  "item.completed": ({ item }) => words(item.itemId, item.kind, item.role, item.status, contentOf(item)),
  "question.requested": (data) => words(data.questionId, ...data.questions.map(({ question }) => question)),
  "question.resolved": (data) => words(data.questionId, data.status, data.message),
  "permission.requested": (data) => words(data.permissionId, data.action, data.title),
  "permission.resolved": (data) => words(data.permissionId, data.decision, `by ${data.by}`, data.message),
  "plan.updated": (data) => data.entries.map(({ content, status }) => `[${status}] ${content}`).join("; "),
  "usage.updated": ({ request, ...data }) =>
    request ? requestLine(request) : `${data.inputTokens} in, ${data.outputTokens} out`,
  "budget.warned": ({ spentUsd, budgetUsd }) => `${spentUsd} of ${budgetUsd} USD are spent`,
  error: (data) => words(data.code, data.message),
  "agent.unparsed": (data) => words(data.error, JSON.stringify(data.raw)),
  "log.damaged": ({ from, to, bytes }) => `events ${from} to ${to} cannot be read any more (${bytes} bytes)`,
};
function requestLine({ state, model, inputTokens, outputTokens, listUsd, status }) {
  const counted = `${inputTokens} in, ${outputTokens} out, ${listUsd} USD`;
  return words("request", model, state === "open" ? "begins" : String(status ?? "unanswered"), counted);
}
function words(...parts) {
  return parts.filter((part) => part !== void 0 && part !== "").join(" ");
}
function contentOf(item) {
  return item.content.map(partText).join(" ");
}
function partText(part) {
  switch (part.type) {
    case "text":
    case "reasoning":
    case "plan":
      return part.text;
    case "tool_call":
      return `${part.title ?? part.name} ${JSON.stringify(part.input)}`;
    case "tool_result":
      return part.output;
    case "file":
      return `${part.action} ${part.path}`;
    case "image":
      return `image ${part.mime} ${part.path ?? ""}`.trimEnd();
    case "status":
      return part.detail === void 0 ? part.label : `${part.label}: ${part.detail}`;
    case "json":
      return JSON.stringify(part.json);
  }
}

export { eventLine, foldMessages, SessionFold };
