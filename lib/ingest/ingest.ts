import { Construct } from "constructs";
import type { IngestLimit } from "../settings.ts";
import { type IngestOrigin, IngestWebFunction, type IngestWebFunctionProps } from "./ingest-web-function.ts";

export interface IngestProps extends Omit<IngestWebFunctionProps, "limit"> {
  /** Undefined: such bodies are refused. */
  readonly limit: IngestLimit | undefined;
}

/** Takes the request bodies that API Gateway and Lambda do not, by the same operations. */
export class Ingest extends Construct {
  /** Undefined where there is none. */
  readonly origin: IngestOrigin | undefined;
  /** Undefined where there is none. */
  readonly webFunctionName: string | undefined;

  constructor(scope: Construct, id: string, { limit, ...props }: IngestProps) {
    super(scope, id);
    if (limit === undefined) return;
    const { origin, functionName } = new IngestWebFunction(this, "WebFunction", { ...props, limit });
    this.origin = origin;
    this.webFunctionName = functionName;
  }
}
