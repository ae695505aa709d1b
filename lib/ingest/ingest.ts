import { Construct } from "constructs";
import type { IngestKind } from "../settings.ts";
import { type IngestOrigin, IngestWebFunction, type IngestWebFunctionProps } from "./ingest-web-function.ts";

export interface IngestProps extends IngestWebFunctionProps {
  readonly kind: IngestKind;
}

/** Takes the request bodies that API Gateway and Lambda do not, by the same operations. */
export class Ingest extends Construct {
  /** Undefined where there is none. */
  readonly origin: IngestOrigin | undefined;
  /** Undefined where there is none. */
  readonly webFunctionName: string | undefined;

  constructor(scope: Construct, id: string, props: IngestProps) {
    super(scope, id);
    if (props.kind === "none") return;
    const { origin, functionName } = new IngestWebFunction(this, "WebFunction", props);
    this.origin = origin;
    this.webFunctionName = functionName;
  }
}
