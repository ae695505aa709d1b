import * as z from "zod/mini";
import { limits } from "../core/limits.ts";
import { patterns, schema, unixMilliseconds } from "../http/schemas.ts";
import { readersField } from "../identity/reader-names.ts";

const roles = ["owner", "editor"] as const;

/** A team, for the people in it. */
export const teamResponse = /* @__PURE__ */ schema(() =>
  z.object({
    namespace: z.string(),
    url: z.url(),
    owners: z.array(z.string()),
    editors: z.array(z.string()),
    role: z.nullable(z.enum(roles)),
    group_by: z.nullable(z.string()),
    created_at: unixMilliseconds,
  }),
);

/** `GET /api/teams`. */
export const teamListResponse = /* @__PURE__ */ schema(() =>
  z.object({ teams: z.array(z.object({ namespace: z.string(), url: z.url(), role: z.enum(roles) })) }),
);

/** `POST /api/teams`. */
export const createTeamBody = /* @__PURE__ */ schema(() =>
  z.object({
    namespace: z.string().check(z.minLength(1), z.maxLength(limits.namespaceCharactersMax)),
    owners: z.optional(readersField("owners")),
    editors: z.optional(readersField("editors")),
  }),
);

/** `PUT /api/teams/{namespace}/members/{reader}`. */
export const setTeamRoleBody = /* @__PURE__ */ schema(() => z.object({ role: z.enum(roles) }));

/** `PATCH /api/teams/{namespace}`. */
export const editTeamBody = /* @__PURE__ */ schema(() =>
  z.object({ group_by: z.nullable(z.string().check(z.regex(patterns.metadataKey))) }),
);

export type TeamResponse = z.output<typeof teamResponse>;
export type TeamListResponse = z.output<typeof teamListResponse>;
