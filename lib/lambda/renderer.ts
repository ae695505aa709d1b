import { Architecture, type Code, type IFunction, TenancyConfig } from "aws-cdk-lib/aws-lambda";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { drawPageSource } from "../bundle/function-source.ts";
import { FunctionLog } from "./function-log.ts";
import { functionRole } from "./function-roles.ts";
import { OperationFunction } from "./operation-function.ts";
import { connectStatements, RendererNetwork } from "./renderer-network.ts";

export interface RendererProps {
  readonly code: Code;
  /** Bucket with the owners' files, which pages can embed. */
  readonly files: Bucket;
}

/**
 * The function that runs the browser, and therefore the scripts of published pages. The browser has no sandbox of its own, because Lambda
 * does not support user namespaces. Therefore the function has no secrets, may only write its log, and can reach only objects of the files'
 * bucket. Each environment renders pages of only one owner.
 */
export class Renderer extends Construct {
  readonly drawPage: IFunction;

  constructor(scope: Construct, id: string, { code, files }: RendererProps) {
    super(scope, id);
    const log = new FunctionLog(this, "Log");
    this.drawPage = new OperationFunction(this, "DrawPage", {
      description: "Renders a page in a browser and reports its behavior",
      code,
      exportName: drawPageSource.exportName,
      // The browser is available only for x86-64.
      architecture: Architecture.X86_64,
      memoryMegabytes: 2_048,
      timeout: Duration.minutes(1),
      environment: {},
      role: functionRole(this, "DrawPageRole", [log.writeStatement(), ...connectStatements(this)]),
      log,
      // Changing the tenancy replaces the function; see "Tenant isolation", AWS Lambda developer guide.
      tenancy: TenancyConfig.PER_TENANT,
      network: new RendererNetwork(this, "Network", { files }).vpcConfig,
    }).function;
  }
}
