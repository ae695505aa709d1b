/**
 * Script of a page with forms whose answers are stored; see docs/adr/0070-feedback.md. In the viewer's frame, the
 * script sends answers through the viewer. On the owner's host, it sends them itself. A sandboxed page outside the
 * viewer sends its forms like any page.
 */
import type { AnswerReply, AnswerRequest } from "./frame-messages.ts";
import { viewer } from "./framed-viewer.client.ts";

const refreshMs = 15_000;
const offline = "Your answer was not sent. Check your connection, then send it again.";
const isFramed = viewer !== window;
const isOnOwnHost = self.origin !== "null" && location.pathname.startsWith("/p/");
/** Forms whose answer is being sent. */
const sending = new WeakSet<HTMLFormElement>();
/** The last answer sent from each form. */
const sent = new WeakMap<HTMLFormElement, string>();
/** Click count of the last press: 2 for the second press of a double click. */
let presses = 0;

if (isFramed || isOnOwnHost) {
  addEventListener(
    "click",
    ({ detail }) => {
      presses = detail;
    },
    true,
  );
  addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (event.defaultPrevented || form.dataset.answers === undefined || !/\/answers\?/.test(form.action))
      return;
    event.preventDefault();
    void send(form, event.submitter);
  });
  addEventListener("DOMContentLoaded", () => void showResults());
  setInterval(() => document.hidden || void showResults(), refreshMs);
}

/** Sends the answer once, and shows the result below the form. The form keeps its values. */
async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const values = [...new FormData(form, submitter)].map(([name, value]) => [
    name,
    typeof value === "string" ? value : value.name,
  ]);
  const text = String(new URLSearchParams(values));
  // The second press of a double click may come after the response to the first press.
  if (sending.has(form) || (presses > 1 && sent.get(form) === text)) return;
  sending.add(form);
  sent.set(form, text);
  const { message } = await ask({ dropleaf: "answer", address: form.action, text }).catch(() => ({
    message: offline,
  }));
  sending.delete(form);
  statusOf(form).textContent = message;
  await showResults();
}

function statusOf(form: HTMLFormElement): Element {
  const found = form.querySelector("[data-answers-status]");
  if (found) return found;
  const status = document.createElement("p");
  status.role = "status";
  status.dataset.answersStatus = "";
  form.append(status);
  return status;
}

/** Shows how often each choice was sent, as text, in the page's result elements. */
async function showResults(): Promise<void> {
  for (const element of document.querySelectorAll<HTMLElement>("[data-answers-results]")) {
    const name = element.dataset.answersResults ?? "";
    const form = document.querySelector<HTMLFormElement>(`form[data-answers="${CSS.escape(name)}"]`);
    const address = form?.action ?? `https://page.invalid/?form=${encodeURIComponent(name)}`;
    const { counts } = await ask({ dropleaf: "results", address }).catch(
      (): AnswerReply => ({ message: "" }),
    );
    if (!counts) continue;
    const lines = counts
      .flatMap(([, choices]) => choices)
      .map(([choice, count]) => {
        const line = document.createElement("div");
        line.textContent = `${choice} ${count}`;
        return line;
      });
    element.replaceChildren(...lines);
  }
}

async function ask(request: AnswerRequest): Promise<AnswerReply> {
  if (!isFramed) return askService(request);
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data as AnswerReply);
    viewer.postMessage(request, "*", [port2]);
  });
}

async function askService(request: AnswerRequest): Promise<AnswerReply> {
  const path = location.pathname.replace(/^(\/p\/\w+).*/, "$1/answers");
  const isAnswer = request.dropleaf === "answer";
  const response = await fetch(path + new URL(request.address, location.href).search, {
    ...(isAnswer ? { method: "POST", body: new URLSearchParams(request.text) } : {}),
    headers: { accept: "application/json" },
  });
  const { error, ...reply } = await response.json();
  return error ?? reply;
}
