import type { IOrigin } from "aws-cdk-lib/aws-cloudfront";
import { Construct } from "constructs";
import type { IngestKind } from "../settings.ts";
import { type IngestServerSettings, ingestServer } from "./ingest-server.ts";
import { IngestWebFunction } from "./ingest-web-function.ts";

/** Settings of `Ingest`. */
export interface IngestProps extends IngestServerSettings {
  readonly kind: IngestKind;
}

/** An origin that a CloudFront Function can choose by its id. */
export interface IngestOrigin {
  readonly origin: IOrigin;
  readonly originId: string;
}

const originId = "ingest";

/** Takes the request bodies that API Gateway and Lambda do not, by the same operations. */
export class Ingest extends Construct {
  /** Undefined where there is none. */
  readonly origin: IngestOrigin | undefined;
  /** Undefined where there is none. */
  readonly webFunctionName: string | undefined;

  constructor(scope: Construct, id: string, props: IngestProps) {
    super(scope, id);
    if (props.kind === "none") return;
    const server = ingestServer(originId, props);
    const { origin, functionName } = new IngestWebFunction(this, "WebFunction", server);
    this.origin = { origin, originId };
    this.webFunctionName = functionName;
  }
}
