import * as z from "zod/mini";
import { choice, freeText, integer } from "../http/query.ts";
import { type Grants, pageRoute, type Route, type TableGrant } from "../http/route.ts";
import { schema } from "../http/schemas.ts";
import { administrationText, type DoneAct } from "./administration-text.ts";

// Additions to the specification: the pages at /admin.

const addition = "docs/adr/0123-teams.md";

/** Items that identify the person behind a session. */
const sessionItems = ["IDP", "MEMBER", "READER", "SCIM", "TEAMRULE", "USER"] as const;

const done = /* @__PURE__ */ schema(() =>
  z.catch(z.optional(choice(Object.keys(administrationText.done) as DoneAct[])), undefined),
);

/** A name that is looked up. DynamoDB refuses keys above 1,024 bytes, and no name is as long. */
const shortText = /* @__PURE__ */ schema(() =>
  z.catch(
    z.pipe(
      freeText(),
      z.transform((text: string) => text.slice(0, 200)),
    ),
    "",
  ),
);

const pageNumber = /* @__PURE__ */ schema(() => z._default(z.catch(integer({ minimum: 1 }), 1), 1));

/** A page that administrators read. Invalid values of its query are ignored. */
function adminPage<const Row extends Pick<Route, "id" | "path" | "summary" | "query">>({
  reads,
  grants,
  ...row
}: Row & {
  /** Items besides the session's. */
  readonly reads: TableGrant["items"];
  /** @default - none */
  readonly grants?: Pick<Grants, "auditReads">;
}) {
  return pageRoute({
    ...row,
    resource: "administration",
    method: "GET",
    addition,
    onlyWith: "administrators",
    caller: "session",
    response: { status: 200, content: "html", alsoStatus: 302 },
    errors: ["forbidden", "not_found"],
    grants: {
      table: { actions: ["BatchGetItem", "GetItem", "Query"], items: [...sessionItems, ...reads] },
      secrets: ["cookieKey"],
      settings: ["administrators", "accessRequests", "members"],
      ...grants,
    },
  });
}

/** A form of administrators. */
function adminForm<const Row extends Pick<Route, "id" | "path" | "summary">>({
  items,
  actions = [],
  ...row
}: Row & {
  /** Items besides the session's. */
  readonly items: TableGrant["items"];
  /** Actions besides reads and updates. @default - none */
  readonly actions?: TableGrant["actions"];
}) {
  return pageRoute({
    ...row,
    resource: "administration",
    method: "POST",
    addition,
    onlyWith: "administrators",
    caller: "session",
    body: "form",
    response: { status: 303 },
    errors: ["forbidden", "invalid_arg", "not_found", "precondition_failed", "last_owner_cannot_leave"],
    grants: {
      table: {
        actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem", ...actions],
        items: [...sessionItems, ...items],
      },
      audit: true,
      secrets: ["cookieKey"],
      settings: ["administrators", "accessRequests", "members", "visibility"],
      operations: ["administer"],
    },
  });
}

/** GET /admin */
export const showAdminRoute = /* @__PURE__ */ adminPage({
  id: "show-admin",
  path: "/admin",
  summary: "Accounts and teams, for administrators, and the search for an account, a page or a file",
  query: /* @__PURE__ */ schema(() => z.object({ done, q: z.catch(freeText(), ""), after: shortText })),
  reads: ["NS", "SLUG"],
});

/** POST /admin/teams */
export const createAdminTeamRoute = /* @__PURE__ */ adminForm({
  id: "create-admin-team",
  path: "/admin/teams",
  summary: "The form by which an administrator creates a team",
  items: ["NS"],
  actions: ["PutItem"],
});

/** GET /admin/accounts/{namespace} */
export const showAdminAccountRoute = /* @__PURE__ */ adminPage({
  id: "show-admin-account",
  path: "/admin/accounts/{namespace}",
  summary: "An account or a team, for administrators, and the forms that change it",
  query: /* @__PURE__ */ schema(() => z.object({ done, file: shortText, page: pageNumber })),
  reads: ["NS", "SLUG", "TOKEN"],
});

/** POST /admin/accounts/{namespace} */
export const changeAdminAccountRoute = /* @__PURE__ */ adminForm({
  id: "change-admin-account",
  path: "/admin/accounts/{namespace}",
  summary: "The forms by which an administrator suspends, bans, holds or changes an account or a team",
  items: ["NS", "TOKEN"],
  actions: ["ConditionCheckItem", "DeleteItem", "PutItem"],
});

/** GET /admin/drops/{slug} */
export const showAdminDropRoute = /* @__PURE__ */ adminPage({
  id: "show-admin-drop",
  path: "/admin/drops/{slug}",
  summary: "A drop without its content, for administrators, and the forms that change it",
  query: /* @__PURE__ */ schema(() => z.object({ done })),
  reads: ["SLUG"],
});

/** POST /admin/drops/{slug} */
export const changeAdminDropRoute = /* @__PURE__ */ adminForm({
  id: "change-admin-drop",
  path: "/admin/drops/{slug}",
  summary: "The forms by which an administrator takes a drop down, holds it, or answers requests for access",
  items: ["SLUG"],
  actions: ["ConditionCheckItem", "DeleteItem", "PutItem"],
});

/** GET /admin/audit */
export const showAdminAuditRoute = /* @__PURE__ */ adminPage({
  id: "show-admin-audit",
  path: "/admin/audit",
  summary: "The audit trail of everything, an account or a drop, for administrators",
  query: /* @__PURE__ */ schema(() =>
    z.object({
      account: shortText,
      drop: shortText,
      until: z.catch(z.optional(integer({ minimum: 1 })), undefined),
    }),
  ),
  reads: ["NS"],
  grants: { auditReads: true },
});
