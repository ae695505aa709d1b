import type { App } from "@modelcontextprotocol/ext-apps";
import type { Ref } from "preact";
import { useState } from "preact/hooks";
import { appText } from "./app-text.ts";

interface AskFormProps {
  readonly app: App;
  readonly url: string;
  readonly version: number;
  readonly words: string;
  readonly onType: (words: string) => void;
  readonly box: Ref<HTMLTextAreaElement>;
}

/** Form for sending a message to the chat. Nothing is sent until the person presses the button. */
export function AskForm({ app, url, version, words, onType, box }: AskFormProps) {
  const [state, setState] = useState<"open" | "sending" | "sent" | "refused">("open");
  const send = async (event: Event) => {
    event.preventDefault();
    if (state === "sending" || words.trim() === "") return;
    setState("sending");
    const text = appText.message(words.trim(), url, version);
    const isSent = await app.sendMessage({ role: "user", content: [{ type: "text", text }] }).then(
      ({ isError }) => !isError,
      () => false,
    );
    setState(isSent ? "sent" : "refused");
    if (isSent) onType("");
  };
  return (
    <form class="ask" onSubmit={send}>
      <label for="ask">{appText.ask}</label>
      <textarea
        id="ask"
        class="field"
        dir="auto"
        rows={words.includes("\n") ? 6 : 2}
        aria-describedby="ask-note"
        ref={box}
        value={words}
        onInput={({ currentTarget }) => {
          setState("open");
          onType(currentTarget.value);
        }}
      />
      <button class="button" type="submit" disabled={state === "sending"}>
        {appText.send}
      </button>
      <p id="ask-note" class="quiet">
        {appText.askNote}
      </p>
      <p role="status">{state === "sent" ? appText.sent : state === "refused" && appText.notSent}</p>
    </form>
  );
}
