/**
 * Sends answers to the framed page's forms, and asks signed-in readers whether the answer has their name. Only a press of the dialog's
 * button signs: the page cannot press it, and the sites that may frame the viewer get answers without a name.
 */
import type { AnswerReply, AnswerRequest } from "./frame/answer-messages.ts";
import { parseUrl } from "./frame/frame-input.client.ts";

/** The service's response. */
interface Response extends AnswerReply {
  readonly state?: "sent" | "choose";
  /** The reader's user name, with `choose`. */
  readonly username?: string | null;
  readonly error?: AnswerReply;
}

/** Parameters of a form's address. The page can forge others, such as the reader's choice. */
const ofForm = /^(form|v|path)$/;
/** A site that frames the viewer could trick a reader into a press: no cookies say who the reader is. */
const credentials = window.top === window ? "same-origin" : "omit";

/** Connects the forms, if the drop takes answers. */
export function connectAnswers(frame: HTMLIFrameElement): void {
  const dialog = document.getElementById("sign") as HTMLDialogElement | null;
  if (!dialog) return;
  const { path = "", offline = "", sendAs = "" } = dialog.dataset;
  const said = dialog.querySelector("p") as HTMLElement;
  const signed = dialog.querySelector("button") as HTMLButtonElement;

  const call = async (query: string, body?: URLSearchParams): Promise<Response> => {
    const headers = { accept: "application/json" };
    const options = { headers, credentials } as const;
    const response = await fetch(path + query, body ? { method: "POST", body, ...options } : options);
    const read = (await response.json()) as Response;
    return read.error ?? read;
  };
  const queryOf = (address: string) => {
    const sent = [...(parseUrl(String(address))?.searchParams ?? [])];
    return `?${new URLSearchParams(sent.filter(([name]) => ofForm.test(name)))}`;
  };
  /** Resolves with the value of the pressed button; empty if the reader closes the dialog. */
  const choose = ({ message, username }: Response) => {
    said.textContent = message;
    signed.textContent = `${sendAs} ${username}`;
    signed.hidden = !username;
    dialog.returnValue = "";
    dialog.showModal();
    // Not a button: the reader may still be typing in the page.
    said.focus();
    return new Promise<string>((resolve) => {
      dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
    });
  };
  const send = async (address: string, text: string): Promise<AnswerReply> => {
    const query = queryOf(address);
    let response = await call(query, new URLSearchParams(text));
    while (response.state === "choose") {
      const as = await choose(response);
      if (!as) return { message: "" };
      const body = { answer: text, username: response.username ?? "", form: crypto.randomUUID() };
      response = await call(`${query}&as=${as}`, new URLSearchParams(body));
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
    // A page may send an answer only right after a reader's press.
    if (dialog.open || navigator.userActivation?.isActive === false) reply({ message: "" });
    else send(data.address, String(data.text)).then(reply, failed);
  });
}
