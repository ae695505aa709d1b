import { Architecture, type Code, type IFunction } from "aws-cdk-lib/aws-lambda";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { drawPageSource } from "../bundle/function-source.ts";
import { FunctionLog } from "./function-log.ts";
import { functionRole } from "./function-roles.ts";
import { OperationFunction } from "./operation-function.ts";

export interface RendererProps {
  readonly code: Code;
}

/**
 * The function with the browser, which runs whatever anybody has published. Its browser has no sandbox of its own, since Lambda has
 * no user namespaces: so it is told nothing, may do nothing but write its log, and whoever breaks out of a page finds no more.
 */
export class Renderer extends Construct {
  readonly drawPage: IFunction;

  constructor(scope: Construct, id: string, { code }: RendererProps) {
    super(scope, id);
    const log = new FunctionLog(this, "Log");
    this.drawPage = new OperationFunction(this, "DrawPage", {
      description: "Draws a page in a browser, and tells what it did",
      code,
      exportName: drawPageSource.exportName,
      // The browser comes for no other.
      architecture: Architecture.X86_64,
      memoryMegabytes: 2_048,
      timeout: Duration.minutes(1),
      environment: {},
      role: functionRole(this, "DrawPageRole", [log.writeStatement()]),
      log,
    }).function;
  }
}
