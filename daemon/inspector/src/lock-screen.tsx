import { messageOf } from "@muster/core";
import { Field } from "@muster/web-parts";
import { useState } from "preact/hooks";
import { enterWithToken } from "./store/access.ts";

/** Shown to whoever has no key, or one that is not valid any more; `refused` says why the link let nobody in. */
export function LockScreen({ refused }: { refused: string }) {
  const [token, setToken] = useState("");
  const [failure, setFailure] = useState(refused);
  const enter = async (event: Event) => {
    event.preventDefault();
    try {
      await enterWithToken(token.trim());
      location.reload();
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  return (
    <main class="lock">
      <h1>Muster</h1>
      <p>
        This page needs a key. Open the link the daemon printed when it started; it is good for one time and 10 minutes.
        A new one: <code>sandbox-daemon tickets create --use page</code>, then open <code>/inspect#ticket=…</code>
      </p>
      <form class="fields" onSubmit={enter}>
        <Field label="Or the daemon's token" hint="It is not kept: the page gets a key of its own for it">
          <input
            type="password"
            autocomplete="off"
            required
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </Field>
        <div class="buttons">
          <button type="submit" class="primary">
            Enter
          </button>
        </div>
      </form>
      {failure && (
        <p class="note failed" role="alert">
          {failure}
        </p>
      )}
    </main>
  );
}
