/**
 * Sends answers to the framed page's forms, and asks signed-in readers whether to add their name. The name is added
 * only if the reader presses the dialog's button, which the page cannot do. If another site frames the viewer, answers
 * have no name.
 */

import { parseUrl } from "./frame/frame-input.client.ts";
import type { AnswerReply, AnswerRequest } from "./frame/frame-messages.ts";

/** Response of the service to an answer. */
interface Response extends AnswerReply {
  readonly state?: "sent" | "choose";
  /** The reader's user name, if the reader must choose whether to add it. */
  readonly username?: string | null;
  readonly error?: AnswerReply;
}

/**
 * Query parameters of a form's URL that are passed on. All other parameters are dropped, because the page could forge them, for example the
 * reader's choice.
 */
const ofForm = /^(form|v|path)$/;
/** Sends no cookies if another site frames the viewer, because the site could trick a reader into pressing the button. */
const credentials = window.top === window ? "same-origin" : "omit";

/** Connects the forms if the drop accepts answers. */
export function connectAnswers(frame: HTMLIFrameElement): void {
  const dialog = document.getElementById("sign") as HTMLDialogElement | null;
  if (!dialog) return;
  const { path = "", offline = "", sendAs = "" } = dialog.dataset;
  const [said, values] = dialog.children as unknown as readonly [HTMLElement, Element];
  const signed = dialog.querySelector("button") as HTMLButtonElement;

  const call = async (query: string, sent?: string | Record<string, string>): Promise<Response> => {
    const response = await fetch(path + query, {
      ...(sent !== undefined && { method: "POST", body: new URLSearchParams(sent) }),
      headers: { accept: "application/json" },
      credentials,
    });
    const read = (await response.json()) as Response;
    return read.error ?? read;
  };
  const queryOf = (address: string) => {
    const sent = [...(parseUrl(String(address))?.searchParams ?? [])];
    return `?${new URLSearchParams(sent.filter(([name]) => ofForm.test(name)))}`;
  };
  /** Shows the dialog. Resolves with the value of the pressed button, or an empty string if the reader closes the dialog. */
  const choose = ({ message, username }: Response, text: string) => {
    said.textContent = message;
    // Lists the values that will be sent, because they may differ from what the page shows.
    const shown = [...new URLSearchParams(text)].filter(([, value]) => value);
    values.replaceChildren(...shown.flatMap(([name, value]) => [create("dt", name), create("dd", value)]));
    signed.textContent = `${sendAs} ${username}`;
    signed.hidden = !username;
    dialog.returnValue = "";
    dialog.showModal();
    // Focuses the text instead of a button, because the reader may still be typing in the page.
    said.focus();
    return new Promise<string>((resolve) => {
      dialog.onclose = () => resolve(dialog.returnValue);
    });
  };
  const send = async (address: string, text: string): Promise<AnswerReply> => {
    const query = queryOf(address);
    let response = await call(query, text);
    while (response.state === "choose") {
      const as = await choose(response, text);
      if (!as) return { message: "" };
      const { username } = response;
      const sent = { answer: text, username: username ?? "", form: crypto.randomUUID() };
      response = await call(`${query}&as=${as}`, sent);
    }
    return response;
  };

  addEventListener("message", ({ source, data, ports }: MessageEvent<AnswerRequest | undefined>) => {
    const [port] = ports;
    if (source !== frame.contentWindow || !port) return;
    const reply = (replied: AnswerReply) =>
      port.postMessage({ message: replied.message, counts: replied.counts });
    const failed = () => reply({ message: offline });
    if (data?.dropleaf === "results") call(queryOf(data.address)).then(reply, failed);
    if (data?.dropleaf !== "answer") return;
    // Ignores an answer unless the reader has just clicked or pressed a key.
    if (dialog.open || navigator.userActivation?.isActive === false) reply({ message: "" });
    else send(data.address, String(data.text)).then(reply, failed);
  });
}

function create(tag: string, textContent: string): Element {
  return Object.assign(document.createElement(tag), { textContent });
}
