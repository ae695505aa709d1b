import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { edgeHeaders, environmentNames } from "../../functions/http/environment.ts";
import { ingestBlobActions, ingestOperationIds } from "../../functions/ingest/rows.ts";
import { routeOf } from "../../functions/routes.ts";
import {
  type GrantTargetsBehindEdge,
  grantEnvironment,
  grantStatements,
  securityContactEnvironment,
} from "../lambda/grants.ts";
import { valueAtDeployment } from "../secrets.ts";
import type { Domain } from "../settings/domain.ts";

/** Settings of `ingestServer`. */
export interface IngestServerSettings extends GrantTargetsBehindEdge {
  /** The folder with the server's code, `index.mjs`. */
  readonly directory: string;
  /** @default - the server learns it from the edge, whose name the distribution only gets with this origin */
  readonly domain: Domain | undefined;
}

/** Props of the server for large bodies. */
export interface IngestServerProps {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly statements: readonly PolicyStatement[];
  /** The origin's id and the header that proves where a request comes from. */
  readonly originProps: { readonly originId: string; readonly customHeaders: Record<string, string> };
}

/** The server, by the id of its origin, with its permissions and environment. */
export function ingestServer(originId: string, settings: IngestServerSettings): IngestServerProps {
  return {
    directory: settings.directory,
    environment: environmentOf(settings),
    statements: statementsOf(settings),
    originProps: {
      originId,
      customHeaders: { [edgeHeaders.originSecret]: valueAtDeployment(settings.secrets.origin) },
    },
  };
}

/** Statements for the server's rows together, without actions that only a combination would allow. */
function statementsOf(settings: IngestServerSettings): PolicyStatement[] {
  return [
    ...ingestOperationIds.flatMap((id) => grantStatements(routeOf(id).grants, settings)),
    new PolicyStatement({
      actions: ingestBlobActions.map((action) => `s3:${action}`),
      resources: [settings.storage.blobs.arnForObjects("*")],
    }),
  ];
}

function environmentOf(settings: IngestServerSettings): Record<string, string> {
  const { domain, secrets } = settings;
  return {
    ...(domain
      ? { [environmentNames.baseUrl]: domain.baseUrl, [environmentNames.baseDomain]: domain.baseDomain }
      : {}),
    ...securityContactEnvironment(settings),
    [environmentNames.originSecret]: secrets.acceptedOrigins,
    ...Object.assign({}, ...ingestOperationIds.map((id) => grantEnvironment(routeOf(id).grants, settings))),
  };
}
