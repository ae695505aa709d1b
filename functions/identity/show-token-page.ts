import { page, pageOperation } from "../http/page-operation.ts";
import { renderTokenRequestPage } from "./login-page.tsx";
import { showTokenPageRoute } from "./rows.ts";

/** GET /login/token: what a token of one's own is, and the form that asks for one. */
export const showTokenPage = pageOperation(showTokenPageRoute, async () =>
  page("sign-in", (nonce) => renderTokenRequestPage({ nonce })),
);
