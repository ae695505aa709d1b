import * as z from "zod/mini";
import { daysMax } from "../core/environment.ts";
import { limits } from "../core/limits.ts";
import { accepts, patterns, schema, text, unixMilliseconds } from "../http/schemas.ts";
import { readersField } from "../identity/reader-names.ts";
import { tokenScopes } from "../table/identifiers.ts";

const roles = ["owner", "editor"] as const;

/** Response with a team, for its members. */
export const teamResponse = /* @__PURE__ */ schema(() =>
  z.object({
    namespace: z.string(),
    url: z.url(),
    owners: z.array(z.string()),
    editors: z.array(z.string()),
    role: z.optional(z.enum(roles)),
    group_by: z.nullable(z.string()),
    created_at: unixMilliseconds,
  }),
);

/** Response of `GET /api/teams`. */
export const teamListResponse = /* @__PURE__ */ schema(() =>
  z.object({ teams: z.array(z.object({ namespace: z.string(), url: z.url(), role: z.enum(roles) })) }),
);

/** Body of `POST /api/teams`. */
export const createTeamBody = /* @__PURE__ */ schema(() =>
  z.object({
    namespace: accepts(z.string().check(z.minLength(1), z.maxLength(limits.namespaceCharactersMax)), {
      type: "string",
      minLength: 1,
      maxLength: limits.namespaceCharactersMax,
      "x-unit": `1 to ${limits.namespaceCharactersMax} lower-case letters, digits, single hyphens`,
    }),
    owners: z.optional(readersField("owners")),
    editors: z.optional(readersField("editors")),
  }),
);

/** Body of `PUT /api/teams/{namespace}/members/{reader}`. */
export const setTeamRoleBody = /* @__PURE__ */ schema(() => z.object({ role: z.enum(roles) }));

/** Body of `PATCH /api/teams/{namespace}`. */
export const editTeamBody = /* @__PURE__ */ schema(() =>
  z.object({ group_by: z.nullable(z.string().check(z.regex(patterns.metadataKey))) }),
);

export type TeamResponse = z.output<typeof teamResponse>;
export type TeamListResponse = z.output<typeof teamListResponse>;

/** Body of `POST /api/teams/{namespace}/tokens`. The label states the token's purpose. */
export const createTeamTokenBody = /* @__PURE__ */ schema(() =>
  z.object({
    label: text({
      name: "label",
      shownAs: "line",
      trimmed: true,
      codePointsMax: limits.labelCodePointsMax,
      tooLong: "invalid_arg",
      empty: "invalid_arg",
    }),
    scope: z.optional(z.enum(tokenScopes)),
    expires_in_days: z.optional(z.int().check(z.minimum(1), z.maximum(daysMax))),
  }),
);

/** Response with a new service token. No other response contains its plaintext. */
export const teamTokenResponse = /* @__PURE__ */ schema(() =>
  z.object({
    api_token: z.string(),
    id: z.string(),
    label: z.string(),
    scope: z.enum(tokenScopes),
    expires_at: z.nullable(unixMilliseconds),
    created_at: unixMilliseconds,
  }),
);

export type TeamTokenResponse = z.output<typeof teamTokenResponse>;
