import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport } from "ai";
import { Children, useState } from "react";
import { createRoot } from "react-dom/client";

// Behind the #, where no server sees it: #endpoint=http://127.0.0.1:2468&agent=claude&session=s1&token=…
const given = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const { endpoint = "http://127.0.0.1:2468", agent = "mock", session = "chat-page", token } = given;
const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
const post = (path, body) => fetch(endpoint + path, { method: "POST", headers, body: JSON.stringify(body) });
const transport = new DefaultChatTransport({ api: `${endpoint}/ui`, headers });
const isAnswered = ({ messages }) => {
  const states = messages.at(-1).parts.map(({ state }) => state);
  return states.includes("approval-responded") && !states.includes("approval-requested");
};

function Page({ messages }) {
  const [text, setText] = useState("");
  const chat = useChat({ id: session, messages, transport, resume: true, sendAutomaticallyWhen: isAnswered });
  const send = (event) => {
    event.preventDefault();
    void chat.sendMessage({ text });
    setText("");
  };
  return (
    <form onSubmit={send}>
      {chat.messages.map(({ id, role, parts }) => (
        <section key={id} className={role}>
          {Children.toArray(parts.map((part) => partView(part, chat.addToolApprovalResponse)))}
        </section>
      ))}
      {chat.error && <p role="alert">{chat.error.message}</p>}
      <input value={text} onChange={(event) => setText(event.target.value)} />
      <button type="submit">Send</button>
      <button type="button" onClick={() => post(`/sessions/${session}/interrupt`, {})}>
        Stop
      </button>
      <output>{chat.status}</output>
    </form>
  );
}

function partView({ type, text, state, title, toolName, output, errorText, approval, data }, answer) {
  if (type === "text") return <p>{text}</p>;
  if (type === "reasoning") return <details open>{text}</details>;
  if (type === "data-question") return <p>{data.questions.flatMap((q) => q.options.map((o) => o.label)).join(" ")}</p>;
  if (type !== "dynamic-tool") return null;
  const decide = (name, approved) => (
    <button type="button" onClick={() => answer({ id: approval.id, approved })}>
      {name}
    </button>
  );
  const asks = state === "approval-requested";
  const said = `${title ?? toolName} · ${state} ${output?.text ?? errorText ?? ""}`;
  return <pre>{Children.toArray([said, asks && decide("Allow", true), asks && decide("Refuse", false)])}</pre>;
}

await post(`/sessions/${session}`, { agent });
const past = await fetch(`${endpoint}/ui/${session}/messages`, { headers });
createRoot(document.body.firstElementChild).render(<Page {...(await past.json())} />);
