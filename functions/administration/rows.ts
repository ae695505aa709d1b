import * as z from "zod/mini";
import { choice, freeText, integer } from "../http/query.ts";
import { pageRows } from "../http/route.ts";
import { schema } from "../http/schemas.ts";
import { administrationText, type CompletedAction } from "./administration-text.ts";

const done = /* @__PURE__ */ schema(() =>
  z.catch(z.optional(choice(Object.keys(administrationText.done) as CompletedAction[])), undefined),
);

/** Name to look up in the table. Truncated to 200 characters, because DynamoDB refuses long keys. All stored names are shorter. */
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

const common = {
  resource: "administration",
  addition: "docs/adr/0123-teams.md",
  onlyWith: "administrators",
  caller: "session",
} as const;

/** Makes the operation definition of a page for administrators. Invalid query values are ignored. */
const adminPageRow = /* @__PURE__ */ pageRows({
  ...common,
  response: { status: 200, content: "html", alsoStatus: 302 },
  errors: ["not_found"],
  grants: {
    table: { actions: ["Query"], items: ["TEAMRULE"] },
    settings: ["administrators", "accessRequests"],
  },
});

/** Makes the operation definition of a form for administrators. */
const adminFormRow = /* @__PURE__ */ pageRows({
  ...common,
  body: "form",
  response: { status: 303 },
  errors: ["invalid_arg", "not_found", "precondition_failed", "last_owner_cannot_leave"],
  grants: {
    table: { actions: ["Query", "UpdateItem"], items: ["TEAMRULE"] },
    audit: true,
    settings: ["administrators", "accessRequests", "visibility"],
    operations: ["administer"],
  },
});

export const showAdminRoute = /* @__PURE__ */ adminPageRow("GET /admin", {
  id: "show-admin",
  summary: "The administrators' list of accounts and teams, with a search for accounts, pages and files",
  query: /* @__PURE__ */ schema(() => z.object({ done, q: z.catch(freeText(), ""), after: shortText })),
  grants: { table: { items: ["NS", "SLUG"] } },
});

export const createAdminTeamRoute = /* @__PURE__ */ adminFormRow("POST /admin/teams", {
  id: "create-admin-team",
  summary: "The form for administrators to create a team",
  grants: { table: { actions: ["PutItem"], items: ["NS"] } },
});

export const showAdminAccountRoute = /* @__PURE__ */ adminPageRow("GET /admin/accounts/{namespace}", {
  id: "show-admin-account",
  summary: "The administration page for an account or a team, with forms to change it",
  query: /* @__PURE__ */ schema(() => z.object({ done, file: shortText, page: pageNumber })),
  grants: { table: { items: ["NS", "SLUG", "TOKEN"] } },
});

export const changeAdminAccountRoute = /* @__PURE__ */ adminFormRow("POST /admin/accounts/{namespace}", {
  id: "change-admin-account",
  summary: "The forms for administrators to suspend, ban, hold or change an account or a team",
  grants: { table: { actions: ["ConditionCheckItem", "DeleteItem", "PutItem"], items: ["NS", "TOKEN"] } },
});

export const showAdminDropRoute = /* @__PURE__ */ adminPageRow("GET /admin/drops/{slug}", {
  id: "show-admin-drop",
  summary: "The administration page for a drop, with forms to change it, but without its content",
  query: /* @__PURE__ */ schema(() => z.object({ done })),
  grants: { table: { items: ["SLUG"] } },
});

export const changeAdminDropRoute = /* @__PURE__ */ adminFormRow("POST /admin/drops/{slug}", {
  id: "change-admin-drop",
  summary: "The forms for administrators to take down or hold a drop, or to answer requests for access",
  grants: { table: { actions: ["ConditionCheckItem", "DeleteItem", "PutItem"], items: ["SLUG"] } },
});

export const showAdminAuditRoute = /* @__PURE__ */ adminPageRow("GET /admin/audit", {
  id: "show-admin-audit",
  summary: "The audit trail of the service, an account or a drop, for administrators",
  query: /* @__PURE__ */ schema(() =>
    z.object({
      account: shortText,
      drop: shortText,
      until: z.catch(z.optional(integer({ minimum: 1 })), undefined),
    }),
  ),
  grants: { table: { items: ["NS"] }, auditReads: true },
});
