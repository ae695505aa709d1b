import { showTokenPageRoute } from "../../contract/sign-in-routes.ts";
import { page } from "../../http/page-answer.ts";
import { pageOperation } from "../../http/page-operation.ts";
import { renderTokenRequestPage } from "../../views/token-request-page.tsx";

/** GET /login/token: what a token of one's own is, and the form that asks for one. */
export const showTokenPage = pageOperation(showTokenPageRoute, async () =>
  page("sign-in", (nonce) => renderTokenRequestPage({ nonce })),
);
