import { renderReloadPage } from "../views/reload-page.tsx";
import type { HttpAnswer } from "./answer.ts";
import { page } from "./page-answer.ts";

/**
 * What the viewer's frame shows of a locked drop without a cookie: the gate cannot work there, since a sandboxed page
 * that sends a form, or loads itself again, brings no SameSite cookie.
 */
export function reloadPage(): HttpAnswer {
  return page("framed", (nonce) => renderReloadPage({ nonce }));
}
