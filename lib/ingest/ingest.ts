import { Construct } from "constructs";
import type { IngestLimit } from "../settings.ts";
import { type IngestOrigin, IngestWebFunction, type IngestWebFunctionProps } from "./ingest-web-function.ts";

export interface IngestProps extends Omit<IngestWebFunctionProps, "limit"> {
  /** Rate limit of the ingest server. Undefined if large request bodies are refused. */
  readonly limit: IngestLimit | undefined;
}

/** Receives request bodies that are too large for API Gateway and Lambda, and serves the same operations. */
export class Ingest extends Construct {
  /** Origin of the ingest server. Undefined if large request bodies are refused. */
  readonly origin: IngestOrigin | undefined;
  /** Name of the Web Function. Undefined if large request bodies are refused. */
  readonly webFunctionName: string | undefined;

  constructor(scope: Construct, id: string, { limit, ...props }: IngestProps) {
    super(scope, id);
    if (limit === undefined) return;
    const { origin, functionName } = new IngestWebFunction(this, "WebFunction", { ...props, limit });
    this.origin = origin;
    this.webFunctionName = functionName;
  }
}
