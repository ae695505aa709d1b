import SCIMMY from "scimmy";
import {
  asScim,
  type GroupFacts,
  groupSchema,
  parseActive,
  parseMembers,
  requireGroupFacts,
  toScimError,
  toUserFacts,
  type UserFacts,
  userSchema,
} from "./resources.ts";
import { ScimError } from "./scim-error.ts";

const patchSchema = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

/** Operation of a PATCH request, which changes one attribute (RFC 7644, section 3.5.2). */
interface Operation {
  readonly op: "add" | "remove" | "replace";
  readonly path: string;
  readonly value: unknown;
}

const operationsMax = 1_000;

/**
 * Parses the body of a PATCH request. Microsoft Entra sends a path with each operation. Okta sends an object of attributes, which is split
 * into one operation per attribute.
 *
 * @throws ScimError `invalidSyntax`, `invalidPath` or `mutability`
 */
export function parsePatch(body: unknown): readonly Operation[] {
  const { schemas, Operations } = (body ?? {}) as { schemas?: unknown; Operations?: unknown };
  if (!Array.isArray(schemas) || !schemas.includes(patchSchema) || !Array.isArray(Operations))
    throw new ScimError(400, `Send the schema ${patchSchema} and the list Operations.`, "invalidSyntax");
  if (Operations.length > operationsMax)
    throw new ScimError(400, `Send at most ${operationsMax} operations.`, "invalidSyntax");
  return Operations.flatMap(parseOperation);
}

function parseOperation(sent: unknown): Operation[] {
  const { op, path, value } = (sent ?? {}) as { op?: unknown; path?: unknown; value?: unknown };
  const name = typeof op === "string" ? op.toLowerCase() : "";
  if (name !== "add" && name !== "remove" && name !== "replace")
    throw new ScimError(400, "op must be add, remove or replace.", "invalidSyntax");
  if (typeof path === "string" && path !== "") return [{ op: name, path: attributePathOf(path), value }];
  if (name === "remove") throw new ScimError(400, "remove needs a path.", "invalidPath");
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new ScimError(400, "Without a path, value must be an object of attributes.", "invalidValue");
  return Object.entries(value)
    .map(([attribute, one]): Operation => ({ op: name, path: attributePathOf(attribute), value: one }))
    .filter(({ path: attribute }) => !isReadOnly(attribute));
}

const attributeNames = new Map(
  [
    ...["active", "displayName", "emails", "externalId", "members", "name", "userName"],
    ...["display", "primary", "type", "value"],
    ...["familyName", "formatted", "givenName", "honorificPrefix", "honorificSuffix", "middleName"],
  ].map((name) => [name.toLowerCase(), name]),
);

/** Removes the schema's URN from a path (RFC 7644, section 3.10), and normalizes attribute names, because clients may use any case. */
function attributePathOf(path: string): string {
  const own = [userSchema, groupSchema].find((one) => path.toLowerCase().startsWith(`${one.toLowerCase()}:`));
  return path
    .slice(own === undefined ? 0 : own.length + 1)
    .replaceAll(/"(?:[^"\\]|\\.)*"|[A-Za-z]\w*/g, (word) => attributeNames.get(word.toLowerCase()) ?? word);
}

function baseOf(path: string): string {
  return (/^[A-Za-z$][\w$-]*/.exec(path)?.[0] ?? "").toLowerCase();
}

function isReadOnly(path: string): boolean {
  return ["id", "meta", "groups", "schemas"].includes(baseOf(path));
}

function requireWritable({ path }: Operation): void {
  if (isReadOnly(path)) throw new ScimError(400, `${path} cannot be changed.`, "mutability");
}

/** Refuses a malformed path. Allows paths of attributes that are not stored, including those of extensions. */
function requirePath({ path }: Operation): void {
  if (!/^(urn:\S|[A-Za-z])/.test(path)) throw notAPath(path);
}

function notAPath(path: string): ScimError {
  return new ScimError(400, `${path} is not a path.`, "invalidPath");
}

const userAttributes = ["active", "displayname", "emails", "externalid", "name", "username"];

/** Applies a PATCH request to a user. Ignores attributes that are not stored. @throws ScimError for an invalid operation or result */
export async function patchUser(facts: UserFacts, operations: readonly Operation[]): Promise<UserFacts> {
  const { profile, ...rest } = facts;
  let user: Record<string, unknown> = { schemas: [userSchema], id: "1", ...rest, ...profile };
  for (const operation of operations) {
    requireWritable(operation);
    if (userAttributes.includes(baseOf(operation.path))) user = await applyTo(user, operation);
    else requirePath(operation);
  }
  return toUserFacts(user);
}

async function applyTo(
  user: Record<string, unknown>,
  operation: Operation,
): Promise<Record<string, unknown>> {
  if (baseOf(operation.path) === "active") {
    if (operation.op === "remove")
      throw new ScimError(
        400,
        "active cannot be removed. To deactivate the user, set it to false.",
        "mutability",
      );
    return { ...user, active: parseActive(operation.value) };
  }
  const { op, path, value } = withMissingElement(user, operation);
  try {
    const message = new SCIMMY.Messages.PatchOp({
      schemas: [patchSchema],
      Operations: [op === "remove" ? { op, path } : { op, path, value }],
    });
    const changed = await message.apply(
      new SCIMMY.Schemas.User(user, "out"),
      async (one) => one as unknown as Record<string, unknown>,
    );
    // The library returns undefined if the operation changes nothing.
    return changed === undefined ? user : (JSON.parse(JSON.stringify(changed)) as Record<string, unknown>);
  } catch (error) {
    throw toScimError(error);
  }
}

const filteredPath = /^(\w+)\[\s*(\w+)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*\](?:\.(\w+))?$/i;

/**
 * Changes an operation to an addition if no element matches its filter. For example, Microsoft Entra sends
 * the path `emails[type eq "work"].value` for a person without an address.
 */
function withMissingElement(user: Readonly<Record<string, unknown>>, operation: Operation): Operation {
  const [, attribute = "", key = "", wanted = '""', part] = filteredPath.exec(operation.path) ?? [];
  const elements = user[attribute] ?? [];
  if (operation.op === "remove" || key === "" || !Array.isArray(elements)) return operation;
  const sought: unknown =
    key === "primary" ? parseActive(wanted.replaceAll('"', "")) : asScim(() => JSON.parse(wanted));
  if (elements.some((element) => (element as Record<string, unknown>)[key] === sought)) return operation;
  const given = part === undefined ? (operation.value as object) : { [part]: operation.value };
  return { op: "add", path: attribute, value: [{ [key]: sought, ...given }] };
}

/** Change to a group's members, as sets of user ids. */
export interface MemberChange {
  /** True if `added` replaces all members. */
  readonly isWhole: boolean;
  readonly added: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
  /** Lists of user ids from the filters of `replace` operations. Each list must contain a current member of the group. @default - none */
  readonly sought?: readonly (readonly string[])[];
}

/**
 * Applies a PATCH request to a group's attributes, and returns the requested change to its members. Does not read the members, because a
 * group may have thousands.
 *
 * @throws ScimError for an invalid operation or an invalid result
 */
export function patchGroup(
  facts: GroupFacts,
  operations: readonly Operation[],
): { readonly facts: GroupFacts; readonly members: MemberChange } {
  let group: { displayName?: unknown; externalId?: unknown } = facts;
  let isWhole = false;
  let added = new Set<string>();
  let removed = new Set<string>();
  const sought: (readonly string[])[] = [];
  for (const operation of operations) {
    requireWritable(operation);
    const { op, path, value } = operation;
    switch (baseOf(path)) {
      case "displayname":
        group = { ...group, displayName: op === "remove" ? undefined : value };
        break;
      case "externalid":
        group = { ...group, externalId: op === "remove" ? undefined : value };
        break;
      case "members": {
        const ids = memberIdsOf(operation);
        if (op === "replace" && ids !== "all" && memberFilter.test(path)) {
          const unknown = ids.filter((id) => !isWhole && !removed.has(id));
          if (!ids.some((id) => added.has(id))) {
            if (unknown.length === 0) throw noTarget(ids);
            sought.push(unknown);
          }
          for (const id of ids) {
            added.delete(id);
            removed.add(id);
          }
          for (const id of parseMembers(value)) {
            added.add(id);
            removed.delete(id);
          }
        } else if (op === "replace" || (op === "remove" && ids === "all")) {
          isWhole = true;
          added = new Set(ids === "all" ? [] : ids);
          removed = new Set();
        } else {
          const [changed, others] = op === "add" ? [added, removed] : [removed, added];
          for (const id of ids) {
            changed.add(id);
            others.delete(id);
          }
        }
        break;
      }
      default:
        requirePath(operation);
    }
  }
  return { facts: requireGroupFacts(group), members: { isWhole, added, removed, sought } };
}

/** Error for a filter that matches no member (RFC 7644, section 3.5.2.3). */
export function noTarget(ids: readonly string[]): ScimError {
  return new ScimError(400, `The group has no member ${ids.join(" or ")}.`, "noTarget");
}

const memberFilter = /^members\[(.+)\]$/i;
const oneMember = /^\s*value\s+eq\s+"([A-Za-z0-9]+)"\s*$/i;

/** Reads the ids of members from an operation's value or the filter in its path. Returns "all" for an operation on all members. */
function memberIdsOf({ op, path, value }: Operation): readonly string[] | "all" {
  const [, filter] = memberFilter.exec(path) ?? [];
  if (filter !== undefined) {
    return filter.split(/\bor(?=\s+value\b)/i).map((part) => {
      const [, id] = oneMember.exec(part) ?? [];
      if (id === undefined)
        throw new ScimError(400, 'Name members such as members[value eq "<id>"].', "invalidFilter");
      return id;
    });
  }
  if (path.toLowerCase() !== "members") throw notAPath(path);
  const isNothing = value === undefined || value === null;
  return op === "remove" && isNothing ? "all" : parseMembers(value);
}
