import { page, pageOperation } from "../http/page-operation.ts";
import { renderLoginPage } from "./login-page.tsx";
import { showLoginPageRoute } from "./rows.ts";

/** GET /login: how signing in works, and a field for a code typed by hand. */
export const showLoginPage = pageOperation(showLoginPageRoute, async ({ site }) =>
  page("sign-in", (nonce) => renderLoginPage({ baseUrl: site.baseUrl, nonce })),
);
