import type { Role } from "aws-cdk-lib/aws-iam";
import type { Code, IFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { grantsOf, type OperationId, optionalOperationIds, routeOf } from "../../functions/routes.ts";
import type { Grants } from "../../functions/table/grants.ts";
import {
  constructId,
  documentOperationIds,
  documentsSource,
  type FunctionSource,
  handlerSource,
  servedOperationIds,
} from "../bundle/function-source.ts";
import { FunctionLog } from "./function-log.ts";
import { sharedRole } from "./function-roles.ts";
import {
  environmentOf,
  type GrantTargetsBehindEdge,
  grantEnvironment,
  grantStatements,
  operationArn,
  temporaryStorageFor,
} from "./grants.ts";
import { OperationFunction, operationFunctionPrefix } from "./operation-function.ts";
import { type AnsweringFunctionId, sharedRoleOf } from "./shared-roles.ts";
import { visitorConcurrencyOf } from "./visitor-concurrency.ts";

export interface OperationsProps extends GrantTargetsBehindEdge {
  /** Base URL of the service. @default - functions read the base URL from each request */
  readonly baseUrl: string | undefined;
  /** Reserved concurrency of the viewer and of raw pages. Other functions for visitors get less concurrency. @default - unreserved */
  readonly visitorConcurrencyMax?: number | undefined;
  readonly codeOf: (id: AnsweringFunctionId) => Code;
}

/** A function that serves the requests of one or several operations. */
interface AnsweringFunction {
  readonly source: FunctionSource<AnsweringFunctionId>;
  readonly summary: string;
  /** Memory in MB. @default - `memoryMegabytesDefault` */
  readonly memoryMegabytes?: number | undefined;
  readonly grants: readonly Grants[];
}

const answeringFunctions: readonly AnsweringFunction[] = [
  {
    source: documentsSource,
    summary: "Serves the documents that are the same for all callers",
    grants: documentOperationIds.flatMap(grantsOf),
  },
  ...servedOperationIds.map(answeringFunctionOf),
];

function answeringFunctionOf(id: OperationId): AnsweringFunction {
  const { summary, memoryMegabytes } = routeOf(id);
  return { source: handlerSource(id), summary, memoryMegabytes, grants: grantsOf(id) };
}

/** The functions of all operations: one for each operation that has its own function, and one for all documents. */
export class Operations extends Construct {
  /** Functions by operation id. */
  readonly functions: ReadonlyMap<OperationId, IFunction>;
  readonly #props: OperationsProps;
  readonly #log: FunctionLog;
  readonly #roles: Construct;

  constructor(scope: Construct, id: string, props: OperationsProps) {
    super(scope, id);
    this.#props = props;
    this.#log = new FunctionLog(this, "Log");
    this.#roles = new Construct(this, "Roles");
    const added = optionalOperationIds.filter((operation) => {
      const { onlyWith } = routeOf(operation);
      return onlyWith !== undefined && props[onlyWith];
    });
    const all = [...answeringFunctions, ...added.map(answeringFunctionOf)];
    const byRole = Map.groupBy(all, ({ source }) => sharedRoleOf(source.id).id);
    const functions = [...byRole].flatMap(([roleId, members]) => {
      const role = this.#addRole(roleId, members);
      return members.map((member) => [member.source.id, this.#addFunction(member, role)] as const);
    });
    const byId = new Map<AnsweringFunctionId, IFunction>(functions);
    this.functions = new Map([
      ...[...servedOperationIds, ...added].map(
        (operation) => [operation, functionOf(byId, operation)] as const,
      ),
      ...documentOperationIds.map((operation) => [operation, functionOf(byId, documentsSource.id)] as const),
    ]);
  }

  #addRole(id: string, members: readonly AnsweringFunction[]): Role {
    const together = members.filter(({ source }) => isTogether(source.id)).flatMap(({ grants }) => grants);
    const apart = members.filter(({ source }) => !isTogether(source.id));
    const statementsOf = (grants: readonly Grants[]) =>
      grants.flatMap((grant) => grantStatements(grant, this.#props));
    return sharedRole(this.#roles, id, {
      all: [this.#log.writeStatement(), ...statementsOf(together)],
      members: apart.map(({ source, grants }) => ({
        functionArn: operationArn(this, source.id),
        statements: statementsOf(grants),
      })),
      hasOthers: apart.length < members.length,
    });
  }

  #addFunction(
    { source: { id, exportName }, summary, memoryMegabytes, grants }: AnsweringFunction,
    role: Role,
  ): IFunction {
    const props = this.#props;
    const { baseUrl, baseDomain, securityContact } = props;
    return new OperationFunction(this, constructId(id), {
      functionName: `${operationFunctionPrefix}${id}`,
      description: summary,
      code: props.codeOf(id),
      exportName,
      environment: {
        ...environmentOf({ baseUrl, baseDomain, securityContact }),
        ...Object.assign({}, ...grants.map((grant) => grantEnvironment(grant, props))),
      },
      role,
      log: this.#log,
      memoryMegabytes,
      temporaryStorage: temporaryStorageFor(grants),
      reservedConcurrency:
        props.visitorConcurrencyMax === undefined
          ? undefined
          : visitorConcurrencyOf(id, props.visitorConcurrencyMax),
    }).function;
  }
}

function isTogether(id: AnsweringFunctionId): boolean {
  return sharedRoleOf(id).together?.some((one) => one === id) ?? false;
}

/** @throws Error if an operation has no function */
export function functionOf<Id extends string>(functions: ReadonlyMap<Id, IFunction>, id: Id): IFunction {
  const found = functions.get(id);
  if (found === undefined) throw new Error(`${id} has no function.`);
  return found;
}
