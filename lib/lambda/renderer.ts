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
  /** The owners' files, which pages embed. */
  readonly files: Bucket;
}

/**
 * The function with the browser, which runs published scripts. The browser has no sandbox of its own, since Lambda has no user namespaces.
 * So the function has no secrets and may only write its log, reaches only objects of the files' bucket, and renders pages of one owner in
 * each environment.
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
      // The browser is built only for x86-64.
      architecture: Architecture.X86_64,
      memoryMegabytes: 2_048,
      timeout: Duration.minutes(1),
      environment: {},
      role: functionRole(this, "DrawPageRole", [log.writeStatement(), ...connectStatements(this)]),
      log,
      // CloudFormation replaces an existing function for this change: AWS Lambda developer guide, "Tenant isolation".
      tenancy: TenancyConfig.PER_TENANT,
      network: new RendererNetwork(this, "Network", { files }).vpcConfig,
    }).function;
  }
}
