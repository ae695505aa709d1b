/**
 * Shows a section of one of the service's pages in a panel of the viewer, with the page's style. The section's links
 * and forms work without leaving the viewer.
 */
import { showTimes } from "../html/local-times.client.ts";

/** A section that can be loaded into a panel. */
export interface PanelSection {
  readonly root: ShadowRoot;
  /** Fetches a page and shows its section. */
  load(address: string, init?: RequestInit): Promise<void>;
}

/**
 * @param selector CSS selector that finds the section in its page
 * @param onShown runs for each shown section, with true if a form was accepted
 * @param onFailure runs with true if a form got no response, and with false before each request
 */
export function createPanelSection(
  content: HTMLElement,
  selector: string,
  { onShown, onFailure }: { onShown: (isSent: boolean) => void; onFailure: (isFailed: boolean) => void },
): PanelSection {
  const root = content.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  let isSending = false;
  root.adoptedStyleSheets = [sheet];

  const load = async (address: string, init?: RequestInit, sent?: HTMLFormElement) => {
    const response = await fetch(address, init);
    let style = "";
    // The viewer's CSP refuses style elements, also in a parsed document.
    const html = (await response.text()).replace(/<style[^>]*>([\s\S]*?)<\/style>/, (_, rules) => {
      style = rules;
      return "";
    });
    const page = new DOMParser().parseFromString(html, "text/html");
    const section = page.querySelector(selector);
    if (!section) throw response;
    const typed = [...root.querySelectorAll("textarea")].filter(({ form, value }) => value && form !== sent);
    sheet.replaceSync(style);
    root.replaceChildren(section);
    for (const { id, value } of typed) {
      const field = root.getElementById(id) as HTMLTextAreaElement | null;
      const details = field?.closest("details");
      if (field) field.value = value;
      if (details) details.open = true;
    }
    showTimes(root);
    onShown(sent !== undefined && response.ok);
  };
  const tryTo = async (address: string, init?: RequestInit, sent?: HTMLFormElement) => {
    if (isSending) return;
    isSending = true;
    onFailure(false);
    await load(address, init, sent).catch(() => onFailure(true));
    isSending = false;
  };

  root.addEventListener("submit", (event) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const { submitter } = event as SubmitEvent;
    // Sends the form as `application/x-www-form-urlencoded`.
    const body = new URLSearchParams(new FormData(form, submitter) as unknown as Record<string, string>);
    void tryTo(form.action, { method: form.method, body }, form);
  });
  root.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("a");
    if (!link || link.target || !link.href.includes("panel=1")) return;
    event.preventDefault();
    void tryTo(link.href);
  });
  return { root, load };
}
