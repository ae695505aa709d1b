import { createHash } from "node:crypto";
import { PolicyDocument, type PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type { Grants } from "../../functions/http/route.ts";
import type { FunctionLog } from "./function-log.ts";
import { type GrantTargetsBehindEdge, grantStatements } from "./grants.ts";

/** Roles of fewer grants stay as their rows say. */
const grantsWithoutMergeMax = 12;

export interface FunctionRolesProps {
  readonly targets: GrantTargetsBehindEdge;
  /** Log group of the functions. */
  readonly log: FunctionLog;
}

/** A role for each set of grants that there is: functions that may do exactly the same share it. */
export class FunctionRoles extends Construct {
  readonly #props: FunctionRolesProps;
  readonly #byId = new Map<string, Role>();

  constructor(scope: Construct, id: string, props: FunctionRolesProps) {
    super(scope, id);
    this.#props = props;
  }

  /** The role that may do what these grants say, write its log, and nothing else. */
  roleFor(grants: readonly Grants[]): Role {
    const { targets, log } = this.#props;
    const id = roleId(grants);
    const role =
      this.#byId.get(id) ??
      functionRole(
        this,
        id,
        [log.writeStatement(), ...grants.flatMap((grant) => grantStatements(grant, targets))],
        { minimize: grants.length > grantsWithoutMergeMax },
      );
    this.#byId.set(id, role);
    return role;
  }
}

/**
 * A function's role with these statements and no others.
 *
 * @param minimize merges statements that differ in their actions or resources alone: a role for many operations, such as MCP's, would come near the size that
 * IAM takes. @default false
 */
export function functionRole(
  scope: Construct,
  id: string,
  statements: PolicyStatement[],
  { minimize = false } = {},
): Role {
  return new Role(scope, id, {
    assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    inlinePolicies: { grants: new PolicyDocument({ statements, minimize }) },
  });
}

/** Id of a role: the resources of its grants and a hash. Equal grants have the same id, in any order and repetition. */
function roleId(grants: readonly Grants[]): string {
  // Settings are in the environment and need no permission.
  const permissions = grants.map(({ settings: _, ...permission }) => permission);
  const said = [...new Set(permissions.map((permission) => JSON.stringify(inOrder(permission))))].sort();
  const about = [...new Set(permissions.flatMap((permission) => Object.keys(permission)))].sort();
  const named = about.map((name) => name.charAt(0).toUpperCase() + name.slice(1)).join("");
  const hash = createHash("sha256").update(JSON.stringify(said)).digest("hex").slice(0, 8);
  return `${named || "Nothing"}-${hash}`;
}

/** A grant's lists are sets, and its names have no order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value)].sort();
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, inOrder(inner)]);
  return Object.fromEntries(entries.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)));
}
