import SCIMMY from "scimmy";
import { isObject } from "../http/schemas.ts";
import { groupCharactersMax } from "../people/accounts.ts";
import { scimPath } from "./rows.ts";
import { ScimError } from "./scim-error.ts";

const { Group, ResourceType, ServiceProviderConfig, User } = SCIMMY.Schemas;

/** Attributes of a user that this service supports. */
const supported = "schemas id externalId meta userName name displayName active emails groups".split(" ");
const declared = User.definition.attributes.map(({ name }) => name);
User.definition.truncate(...declared.filter((name) => !supported.includes(name)));

/** URN of the user schema. */
export const userSchema = User.definition.id;
/** URN of the group schema. */
export const groupSchema = Group.definition.id;

/** A person's profile, which only SCIM clients can read. */
export interface Profile {
  readonly displayName?: string | undefined;
  readonly name?: Readonly<Record<string, string>> | undefined;
  readonly emails?: readonly Readonly<Record<string, unknown>>[] | undefined;
}

/** Attributes of a person, as a SCIM client sends them. */
export interface UserFacts {
  readonly userName: string;
  readonly externalId: string | undefined;
  readonly active: boolean;
  readonly profile: Profile;
}

/** Maximum length of a person's profile in characters, serialized as JSON. */
const profileCharactersMax = 16_384;
const nameCharactersMax = 1_024;

/** Parses the user in a request. Ignores unknown attributes (RFC 7644, section 3.3). @throws ScimError `invalidValue`, `invalidSyntax` */
export function parseUser(body: unknown): UserFacts {
  const sent = requireObject(body);
  const read = asScim(() => new User(withoutReadOnly({ ...sent, ...activeOf(sent) }), "in"));
  return toUserFacts(read as unknown as Record<string, unknown>);
}

/** Reads the attributes of a user that the library has validated. */
export function toUserFacts(user: Readonly<Record<string, unknown>>): UserFacts {
  // Converts the library's proxies to plain objects by way of JSON.
  const plain = JSON.parse(JSON.stringify(user)) as Record<string, unknown>;
  const { userName, externalId, active = true, displayName, name, emails } = plain;
  const facts = {
    userName: requireName("userName", userName),
    externalId: externalId === undefined ? undefined : requireName("externalId", externalId),
    active: active === true,
    profile: { displayName, name, emails } as Profile,
  };
  if (JSON.stringify(facts.profile).length > profileCharactersMax)
    throw new ScimError(
      400,
      `name, displayName and emails together have more than ${profileCharactersMax} characters.`,
      "invalidValue",
    );
  return facts;
}

function requireName(attribute: string, value: unknown): string {
  if (typeof value === "string" && value.trim() !== "" && value.length <= nameCharactersMax) return value;
  throw new ScimError(
    400,
    `${attribute} must be a string of 1 to ${nameCharactersMax} characters.`,
    "invalidValue",
  );
}

/** Attributes of a group, as a SCIM client sends them, except the members. */
export interface GroupFacts {
  readonly displayName: string;
  readonly externalId: string | undefined;
}

/** Parses the group in a request, including the ids of the members. @throws ScimError `invalidValue` or `invalidSyntax` */
export function parseGroup(body: unknown): GroupFacts & { readonly members: readonly string[] } {
  const sent = requireObject(body);
  const { displayName, externalId, members } = sent;
  return { ...requireGroupFacts({ displayName, externalId }), members: parseMembers(members) };
}

/** Validates the attributes of a group. @throws ScimError `invalidValue` */
export function requireGroupFacts({
  displayName,
  externalId,
}: {
  readonly displayName?: unknown;
  readonly externalId?: unknown;
}): GroupFacts {
  const name = requireName("displayName", displayName);
  if (name.length > groupCharactersMax)
    throw new ScimError(
      400,
      `displayName must have at most ${groupCharactersMax} characters.`,
      "invalidValue",
    );
  return {
    displayName: name,
    externalId:
      externalId === undefined || externalId === null ? undefined : requireName("externalId", externalId),
  };
}

/** Parses members' ids from a list such as `[{"value": "…"}]`, a single object, or nothing. @throws ScimError `invalidValue` */
export function parseMembers(value: unknown): readonly string[] {
  if (value === undefined || value === null || value === "") return [];
  const all = Array.isArray(value) ? value : [value];
  return all.map((member) => {
    const id: unknown = typeof member === "object" && member !== null ? member.value : member;
    if (typeof id === "string" && /^[A-Za-z0-9]{16}$/.test(id)) return id;
    throw new ScimError(400, 'Each member must have the form {"value": "<user id>"}.', "invalidValue");
  });
}

/** Parses the attribute `active` (RFC 7643, section 4.1.1), which Microsoft Entra also sends as a string. */
export function parseActive(value: unknown): boolean {
  if (typeof value === "boolean") return value;
  if (typeof value === "string" && /^(true|false)$/i.test(value)) return value.toLowerCase() === "true";
  throw new ScimError(400, "active must be true or false.", "invalidValue");
}

function activeOf({ active }: Readonly<Record<string, unknown>>): { readonly active?: boolean } {
  return active === undefined || active === null ? {} : { active: parseActive(active) };
}

function withoutReadOnly(user: Record<string, unknown>): Record<string, unknown> {
  const { id: _id, meta: _meta, groups: _groups, schemas: _schemas, ...rest } = user;
  // Replaces the request's list of schemas, because the library refuses unknown extensions.
  return { schemas: [userSchema], ...rest };
}

function requireObject(body: unknown): Record<string, unknown> {
  if (isObject(body)) return body;
  throw new ScimError(400, "The request body must be a JSON object.", "invalidSyntax");
}

/** Calls a function of the library, and converts its errors to SCIM errors. */
export function asScim<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw toScimError(error);
  }
}

/** Converts an error from the library to a SCIM error. */
export function toScimError(error: unknown): ScimError {
  if (error instanceof ScimError) return error;
  const { status, scimType, message } = error as { status?: number; scimType?: string; message: string };
  const known = ["invalidFilter", "invalidPath", "invalidSyntax", "mutability", "noTarget"].find(
    (one) => one === scimType,
  );
  return new ScimError(status ?? 400, message, (known ?? "invalidValue") as "invalidValue");
}

/** Builds the response of `GET /ServiceProviderConfig` (RFC 7643, section 5). */
export function describeProvider(baseUrl: string): object {
  const config = {
    documentationUri: `${baseUrl}/docs`,
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: 200 },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "Bearer token",
        description: "A token that the operator of the service creates",
      },
    ],
  };
  return present(new ServiceProviderConfig(config, `${baseUrl}${scimPath}`));
}

/** Builds the resources of `GET /ResourceTypes` (RFC 7643, section 6). */
export function describeResourceTypes(baseUrl: string): readonly Readonly<Record<string, unknown>>[] {
  const types = [
    { id: "User", name: "User", endpoint: "/Users", description: "A person", schema: userSchema },
    {
      id: "Group",
      name: "Group",
      endpoint: "/Groups",
      description: "A group of people",
      schema: groupSchema,
    },
  ];
  return types.map((type) => present(new ResourceType(type, `${baseUrl}${scimPath}/ResourceTypes`)));
}

/** Builds the resources of `GET /Schemas` (RFC 7643, section 7). */
export function describeSchemas(baseUrl: string): readonly Readonly<Record<string, unknown>>[] {
  const at = `${baseUrl}${scimPath}/Schemas`;
  return [User, Group].map(({ definition }) => present(definition.describe(at)));
}

function present(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
}
