import type { IOrigin } from "aws-cdk-lib/aws-cloudfront";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { ingestBlobActions, ingestOperationIds } from "../functions/ingest/rows.ts";
import { edgeHeaders, environmentNames } from "../functions/platform/environment.ts";
import { routeOf } from "../functions/routes.ts";
import type { Domain } from "./domain.ts";
import {
  type GrantTargetsBehindEdge,
  grantEnvironment,
  grantStatements,
  securityContactEnvironment,
} from "./grants.ts";
import { IngestContainer } from "./ingest-container.ts";
import { IngestWebFunction } from "./ingest-web-function.ts";
import { valueAtDeployment } from "./secrets.ts";
import type { IngestKind } from "./settings.ts";

export interface IngestProps extends GrantTargetsBehindEdge {
  readonly kind: IngestKind;
  /** The folder with the server's code, `index.mjs`. */
  readonly directory: string;
  /** @default - the server learns it from the edge, whose name the distribution only gets with this origin */
  readonly domain: Domain | undefined;
}

/** An origin that a CloudFront Function can choose by its id. */
export interface IngestOrigin {
  readonly origin: IOrigin;
  readonly originId: string;
}

/** What runs the server for large bodies. */
export interface IngestServerProps {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly statements: readonly PolicyStatement[];
  /** The origin's id and the header that proves where a request comes from. */
  readonly originProps: { readonly originId: string; readonly customHeaders: Record<string, string> };
}

const originId = "ingest";

/** Takes the request bodies that API Gateway and Lambda do not, by the same operations. */
export class Ingest extends Construct {
  /** Undefined where there is none. */
  readonly origin: IngestOrigin | undefined;
  /** Undefined where it is no Web Function. */
  readonly webFunctionName: string | undefined;

  constructor(scope: Construct, id: string, props: IngestProps) {
    super(scope, id);
    if (props.kind === "none") return;
    const server: IngestServerProps = {
      directory: props.directory,
      environment: environmentOf(props),
      statements: statementsOf(props),
      originProps: {
        originId,
        customHeaders: { [edgeHeaders.originSecret]: valueAtDeployment(props.secrets.origin) },
      },
    };
    if (props.kind === "fargate") {
      const { origin } = new IngestContainer(this, "Container", server);
      this.origin = { origin, originId };
    } else {
      const { origin, functionName } = new IngestWebFunction(this, "WebFunction", server);
      this.origin = { origin, originId };
      this.webFunctionName = functionName;
    }
  }
}

/** What the rows that the server serves may do together, and nothing that only a mixture of them would allow. */
function statementsOf(props: IngestProps): PolicyStatement[] {
  return [
    ...ingestOperationIds.flatMap((id) => grantStatements(routeOf(id).grants, props)),
    new PolicyStatement({
      actions: ingestBlobActions.map((action) => `s3:${action}`),
      resources: [props.storage.blobs.arnForObjects("*")],
    }),
  ];
}

function environmentOf(props: IngestProps): Record<string, string> {
  const { domain, secrets } = props;
  return {
    ...(domain
      ? { [environmentNames.baseUrl]: domain.baseUrl, [environmentNames.baseDomain]: domain.baseDomain }
      : {}),
    ...securityContactEnvironment(props),
    [environmentNames.originSecret]: secrets.acceptedOrigins,
    ...Object.assign({}, ...ingestOperationIds.map((id) => grantEnvironment(routeOf(id).grants, props))),
  };
}
