import { page, pageOperation } from "../http/page-operation.ts";
import { renderTokenRequestPage } from "./login-page.tsx";
import { showTokenPageRoute } from "./rows.ts";

/** GET /login/token: explains a token of one's own, with the form to get one. */
export const showTokenPage = pageOperation(showTokenPageRoute, async () =>
  page("sign-in", (nonce) => renderTokenRequestPage({ nonce })),
);
