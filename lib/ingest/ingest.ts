import { Construct } from "constructs";
import type { IngestLimit } from "../settings.ts";
import { type IngestOrigin, IngestWebFunction, type IngestWebFunctionProps } from "./ingest-web-function.ts";

export interface IngestProps extends Omit<IngestWebFunctionProps, "limit"> {
  /** Undefined if large bodies are refused. */
  readonly limit: IngestLimit | undefined;
}

/** Receives the request bodies that are too large for API Gateway and Lambda, for the same operations. */
export class Ingest extends Construct {
  /** Undefined without the server. */
  readonly origin: IngestOrigin | undefined;
  /** Undefined without the server. */
  readonly webFunctionName: string | undefined;

  constructor(scope: Construct, id: string, { limit, ...props }: IngestProps) {
    super(scope, id);
    if (limit === undefined) return;
    const { origin, functionName } = new IngestWebFunction(this, "WebFunction", { ...props, limit });
    this.origin = origin;
    this.webFunctionName = functionName;
  }
}
