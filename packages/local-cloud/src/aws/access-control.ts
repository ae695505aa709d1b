import { randomBytes } from "node:crypto";
import { resourcesOfType, type Template } from "../template.ts";
import { Refusal } from "./aws-error.ts";
import type { Access, Log } from "./aws-service.ts";
import { decide, explainRefusal } from "./policy.ts";
import { type Role, rolesOf } from "./role-policies.ts";

/** Keeps a long run from remembering every object that a role ever read. */
const USED_ACTIONS_PER_ROLE_MAX = 10_000;

/** A key pair that signs requests. */
export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Owner of an access key: a role of the template, or the administrator, who may do everything. */
export interface Caller {
  readonly secretAccessKey: string;
  /** Decides without recording; true when the caller's policies allow the access. */
  mayAccess(access: Access): boolean;
  /** Records the access as used, or logs and throws the refusal `access-denied`. */
  authorize(access: Access): void;
}

/** The callers of one local cloud and what each role has used of its grants. */
export interface AccessControl {
  readonly administrator: AccessKey;
  /** The role's key pair, the same for as long as the local cloud runs. */
  credentialsFor(roleArn: string): AccessKey;
  /** For each role the first 10,000 different `service:Action on resource-arn` that it was allowed and used. */
  usedActions(): Map<string, Set<string>>;
  callerOf(accessKeyId: string): Caller | undefined;
  /** The same as `Caller.authorize`, for what AWS does in a role's name. */
  authorize(roleArn: string, access: Access): void;
  /** Waits until the advice on each refusal so far has been logged. */
  whenAdvised(): Promise<void>;
}

/** Names the change to the sources that would allow an access of a role; undefined where there is none to name. */
export type AdviseMissingGrant = (
  template: Template,
  roleArn: string,
  access: Access,
) => Promise<string | undefined>;

/**
 * Makes a key pair for each role of the template; throws on policies that cannot be evaluated.
 *
 * @param adviseMissingGrant gives a line of the log that follows each refusal
 */
export function createAccessControl(
  template: Template,
  log: Log,
  adviseMissingGrant: AdviseMissingGrant = async () => undefined,
): AccessControl {
  let advised = Promise.resolve();
  const administrator = createAccessKey();
  const roles = new Map(
    rolesOf(template).map((role) => {
      const used = new Set<string>();
      const advise = (access: Access) => {
        advised = advised.then(async () => {
          const grant = await adviseMissingGrant(template, role.arn, access);
          if (grant !== undefined) log(grant);
        });
      };
      const records = { used, log, advise };
      const key = createAccessKey();
      const ofFunctions = createRoleCaller(role, key, functionArnsOf(template, role), records);
      const ofServices = createRoleCaller(role, key, [], records);
      return [role.arn, { key, used, ofFunctions, ofServices }];
    }),
  );
  const callers = new Map<string, Caller>([
    [administrator.accessKeyId, { ...administrator, mayAccess: () => true, authorize: () => {} }],
    ...[...roles.values()].map(({ key, ofFunctions }) => [key.accessKeyId, ofFunctions] as const),
  ]);
  const roleOf = (roleArn: string) => {
    const found = roles.get(roleArn);
    if (found) return found;
    throw new Error(
      `There is no role ${roleArn} in the template; its roles are ${[...roles.keys()].join(", ")}`,
    );
  };
  return {
    administrator,
    credentialsFor: (roleArn) => roleOf(roleArn).key,
    authorize: (roleArn, access) => roleOf(roleArn).ofServices.authorize(access),
    usedActions: () => new Map([...roles].map(([arn, { used }]) => [arn, new Set(used)])),
    callerOf: (accessKeyId) => callers.get(accessKeyId),
    whenAdvised: () => advised,
  };
}

interface RoleRecords {
  readonly used: Set<string>;
  readonly log: Log;
  /** Logs the grant that is missing, later. */
  readonly advise: (access: Access) => void;
}

/** @param functionArns functions from within which it calls; none where AWS calls in the role's name */
function createRoleCaller(
  role: Role,
  { secretAccessKey }: AccessKey,
  functionArns: readonly string[],
  { used, log, advise }: RoleRecords,
): Caller {
  // AWS Lambda developer guide, "Using source function ARN to control function access behavior".
  const decideFor = (access: Access) => {
    const conditionKeys = { ...access.conditionKeys, "lambda:SourceFunctionArn": functionArns };
    return decide(role.statements, { ...access, conditionKeys });
  };
  return {
    secretAccessKey,
    mayAccess: (access) => decideFor(access) === "allowed",
    authorize(access) {
      const decision = decideFor(access);
      if (decision !== "allowed") {
        const isDenied = decision === "denied by a statement";
        const message = deniedMessage(role.arn, access, isDenied);
        const reason = isDenied
          ? "a statement of the role denies it"
          : explainRefusal(role.statements, access);
        log(`access denied: ${message}; ${reason}`);
        if (!isDenied) advise(access);
        throw new Refusal("access-denied", message);
      }
      if (used.size < USED_ACTIONS_PER_ROLE_MAX) used.add(`${access.action} on ${access.resourceArn}`);
    },
  };
}

function functionArnsOf(template: Template, role: Role): string[] {
  return resourcesOfType(template, "AWS::Lambda::Function")
    .filter(({ properties }) => properties.Role === role.arn)
    .map(({ arn }) => arn);
}

function deniedMessage(roleArn: string, access: Access, isDenied: boolean): string {
  const because = isDenied
    ? "with an explicit deny in an identity-based policy"
    : `because no identity-based policy allows the ${access.action} action`;
  const conditionKeys = Object.entries(access.conditionKeys ?? {})
    .filter(([, values]) => values.length > 0)
    .map(([key]) => key);
  // Names only, as AWS does it: the values are for the log.
  const withKeys = conditionKeys.length > 0 ? ` (condition keys: ${conditionKeys.join(", ")})` : "";
  return `User: ${roleArn} is not authorized to perform: ${access.action} on resource: ${access.resourceArn} ${because}${withKeys}`;
}

function createAccessKey(): AccessKey {
  return {
    accessKeyId: `AKIALOCAL${randomBytes(6).toString("hex").toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString("base64url"),
  };
}
