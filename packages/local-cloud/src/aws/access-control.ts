import { randomBytes } from "node:crypto";
import { resourcesOfType, type Template } from "../template.ts";
import { Refusal } from "./aws-error.ts";
import type { Access, Log } from "./aws-service.ts";
import { decide, explainRefusal, statementsForFunction } from "./policy.ts";
import { type Role, rolesOf } from "./role-policies.ts";

/** Maximum number of distinct used actions recorded per role, to limit memory in long runs that read many objects. */
const USED_ACTIONS_PER_ROLE_MAX = 10_000;

/** A key pair that signs requests. */
export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Owner of an access key: a role of the template, or the administrator, who has all permissions. */
interface Caller {
  readonly secretAccessKey: string;
  /** Returns true if the caller's policies allow the access. Records nothing. */
  mayAccess(access: Access): boolean;
  /** Records the access as used if it is allowed. Otherwise logs the refusal and throws it as `access-denied`. */
  authorize(access: Access): void;
}

/** The callers of one local cloud, and the permissions that each role has used. */
export type AccessControl = ReturnType<typeof createAccessControl>;

/** Returns a log line that suggests the source change that would grant a function the refused access. */
export type AdviseMissingGrant = (
  template: Template,
  functionArn: string,
  access: Access,
) => Promise<string | undefined>;

/** Creates key pairs for the roles of the template and for each of their functions. Throws if a policy cannot be evaluated. */
export function createAccessControl(
  template: Template,
  log: Log,
  adviseMissingGrant: AdviseMissingGrant = async () => undefined,
) {
  let advised = Promise.resolve();
  const administrator = createAccessKey();
  const callers = new Map<string, Caller>([
    [administrator.accessKeyId, { ...administrator, mayAccess: () => true, authorize: () => {} }],
  ]);
  /** @param functionArn the calling function; undefined if an AWS service uses the role */
  const addCaller = (role: Role, used: Set<string>, functionArn?: string) => {
    // See "Using source function ARN to control function access behavior", AWS Lambda developer guide.
    const statements = statementsForFunction(role.statements, functionArn);
    const advise = (access: Access) => {
      if (functionArn === undefined) return;
      advised = advised.then(async () => {
        const grant = await adviseMissingGrant(template, functionArn, access);
        if (grant !== undefined) log(grant);
      });
    };
    const key = createAccessKey();
    const caller: Caller = {
      secretAccessKey: key.secretAccessKey,
      mayAccess: (access) => decide(statements, access) === "allowed",
      authorize(access) {
        const decision = decide(statements, access);
        if (decision === "allowed") {
          if (used.size < USED_ACTIONS_PER_ROLE_MAX) used.add(`${access.action} on ${access.resourceArn}`);
          return;
        }
        const isDenied = decision === "denied by a statement";
        const message = deniedMessage(role.arn, access, isDenied);
        const reason = isDenied
          ? "a statement of the role denies this access"
          : explainRefusal(statements, access);
        log(`access denied: ${message}; ${reason}`);
        if (!isDenied) advise(access);
        throw new Refusal("access-denied", message);
      },
    };
    callers.set(key.accessKeyId, caller);
    return { key, caller };
  };
  const roles = new Map(
    rolesOf(template).map((role) => {
      const used = new Set<string>();
      const ofFunctions = new Map(
        functionArnsOf(template, role).map((arn) => [arn, addCaller(role, used, arn)]),
      );
      return [role.arn, { used, ofFunctions, ofServices: addCaller(role, used) }];
    }),
  );
  const roleOf = (roleArn: string) => {
    const found = roles.get(roleArn);
    if (found) return found;
    throw new Error(
      `There is no role ${roleArn} in the template; its roles are ${[...roles.keys()].join(", ")}`,
    );
  };
  return {
    administrator,
    /**
     * Returns a role's key pair, which stays the same while the local cloud runs.
     *
     * @param functionArn ARN of the calling function, for the condition key `lambda:SourceFunctionArn`. @default - no function
     */
    credentialsFor(roleArn: string, functionArn?: string): AccessKey {
      const { ofFunctions, ofServices } = roleOf(roleArn);
      if (functionArn === undefined) return ofServices.key;
      const found = ofFunctions.get(functionArn);
      if (found === undefined)
        throw new Error(`The function ${functionArn} does not use the role ${roleArn}`);
      return found.key;
    },
    /** Works like `Caller.authorize`, for a request of an AWS service that has assumed the role. */
    authorize: (roleArn: string, access: Access) => roleOf(roleArn).ofServices.caller.authorize(access),
    /** Lists the allowed actions that each role has used, as `service:Action on resource-arn`, at most 10,000 per role. */
    usedActions: () => new Map([...roles].map(([arn, { used }]) => [arn, new Set(used)])),
    callerOf: (accessKeyId: string) => callers.get(accessKeyId),
    /** Waits until the advice on all refusals so far has been logged. */
    whenAdvised: () => advised,
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
  // Like AWS's message, this message names the condition keys without their values. The log has the values.
  const withKeys = conditionKeys.length > 0 ? ` (condition keys: ${conditionKeys.join(", ")})` : "";
  return `User: ${roleArn} is not authorized to perform: ${access.action} on resource: ${access.resourceArn} ${because}${withKeys}`;
}

function createAccessKey(): AccessKey {
  return {
    accessKeyId: `AKIALOCAL${randomBytes(6).toString("hex").toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString("base64url"),
  };
}
