import { showLoginPageRoute } from "../../contract/sign-in-routes.ts";
import { page } from "../../http/page-answer.ts";
import { pageOperation } from "../../http/page-operation.ts";
import { renderLoginPage } from "../../views/login-page.tsx";

/** GET /login: how signing in works, and a field for a code typed by hand. */
export const showLoginPage = pageOperation(showLoginPageRoute, async ({ site }) =>
  page("sign-in", (nonce) => renderLoginPage({ baseUrl: site.baseUrl, nonce })),
);
