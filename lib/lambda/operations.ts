import type { Code, IFunction } from "aws-cdk-lib/aws-lambda";
import { Aws } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { Grants } from "../../functions/http/route.ts";
import { grantsOf, type OperationId, routeOf } from "../../functions/routes.ts";
import {
  constructId,
  documentOperationIds,
  documentsSource,
  type FunctionSource,
  handlerSource,
  servedOperationIds,
} from "../bundle/function-source.ts";
import { FunctionLog } from "./function-log.ts";
import { FunctionRoles } from "./function-roles.ts";
import {
  environmentOf,
  type GrantTargetsBehindEdge,
  grantEnvironment,
  temporaryStorageFor,
} from "./grants.ts";
import { OperationFunction } from "./operation-function.ts";
import { roleGroupOf } from "./shared-roles.ts";
import { visitorConcurrencyOf } from "./visitor-concurrency.ts";

/** The id of a function that answers requests. */
export type AnsweringFunctionId = OperationId | typeof documentsSource.id;

export interface OperationsProps extends GrantTargetsBehindEdge {
  /** @default - the edge says it with each request */
  readonly baseUrl: string | undefined;
  /** Reserved concurrency of the viewer and of pages; other functions for visitors get less. @default - unreserved */
  readonly visitorConcurrencyMax?: number | undefined;
  readonly codeOf: (id: AnsweringFunctionId) => Code;
}

/** Properties of a function by its rows. */
interface AnsweringFunction {
  readonly summary: string;
  /** @default - `memoryMegabytesDefault` */
  readonly memoryMegabytes?: number | undefined;
  readonly grants: readonly Grants[];
}

/**
 * The prefix of the names of all functions that answer requests, so that one resource of a policy covers them. A stack's name has no
 * underscore: no other stack's functions begin like this.
 */
export const operationFunctionPrefix = `${Aws.STACK_NAME}_`;

/** A function for each row of the contract that has one, and one for all documents. */
export class Operations extends Construct {
  /** Functions by operation. */
  readonly functions: ReadonlyMap<OperationId, IFunction>;
  readonly #props: OperationsProps;
  readonly #log: FunctionLog;
  readonly #roles: FunctionRoles;

  constructor(scope: Construct, id: string, props: OperationsProps) {
    super(scope, id);
    this.#props = props;
    this.#log = new FunctionLog(this, "Log");
    this.#roles = new FunctionRoles(this, "Roles", { targets: props, log: this.#log });
    const documents = this.#addFunction(documentsSource, {
      summary: "Serves the documents that are the same for everybody",
      grants: documentOperationIds.flatMap(grantsOf),
    });
    this.functions = new Map<OperationId, IFunction>([
      ...servedOperationIds.map((operation) => {
        const { summary, memoryMegabytes } = routeOf(operation);
        const row = { summary, memoryMegabytes, grants: grantsOf(operation) };
        return [operation, this.#addFunction(handlerSource(operation), row)] as const;
      }),
      ...documentOperationIds.map((operation) => [operation, documents] as const),
    ]);
  }

  #addFunction(
    { id, exportName }: FunctionSource<AnsweringFunctionId>,
    { summary, memoryMegabytes, grants }: AnsweringFunction,
  ): IFunction {
    const props = this.#props;
    const { baseUrl, baseDomain, securityContact, secrets } = props;
    return new OperationFunction(this, constructId(id), {
      functionName: `${operationFunctionPrefix}${id}`,
      description: summary,
      code: props.codeOf(id),
      exportName,
      environment: {
        ...environmentOf({ baseUrl, baseDomain, securityContact, originSecret: secrets.acceptedOrigins }),
        ...Object.assign({}, ...grants.map((grant) => grantEnvironment(grant, props))),
      },
      role: this.#roles.roleFor(roleGroupOf(id)?.flatMap(grantsOf) ?? grants),
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

/** @throws Error where an operation has no function */
export function functionOf(
  functions: ReadonlyMap<OperationId, IFunction>,
  operation: OperationId,
): IFunction {
  const found = functions.get(operation);
  if (found === undefined) throw new Error(`${operation} has no function.`);
  return found;
}
