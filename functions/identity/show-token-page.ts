import { page } from "../html/page.ts";
import { pageOperation } from "../http/page-operation.ts";
import { renderTokenRequestPage } from "./login-page.tsx";
import { showTokenPageRoute } from "./rows.ts";

/** GET /login/token: shows the form to get a token without an agent. */
export const showTokenPage = pageOperation(showTokenPageRoute, async () =>
  page("sign-in", (nonce) => renderTokenRequestPage({ nonce })),
);
