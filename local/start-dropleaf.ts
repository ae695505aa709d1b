import { type LocalCloud, type LocalCloudOptions, startLocalCloud } from "@dropleaf/local-cloud";
import type { AwsEndpoint } from "@dropleaf/local-cloud/aws/aws-endpoint";
import { faultEnvironmentNames } from "../functions/core/environment.ts";
import { compileCacheDirectory } from "../lib/bundle/cache-directory.ts";
import { outputNames } from "../lib/output-names.ts";
import { requireKnownDataFormat, storeDataFormat } from "./data-format.ts";
import { explainerOf } from "./fault-lines.ts";
import { type IdentityProvider, startIdentityProvider } from "./identity-provider/identity-provider.ts";

/** Options of `startDropleaf`. The identity provider uses the port after the service's. */
export interface DropleafOptions
  extends Omit<
    LocalCloudOptions,
    "adviseMissingGrant" | "compileCacheDirectory" | "explainLines" | "extraEnvironment" | "prepare"
  > {
  /**
   * Finds the folder of a function's bundle and source maps. They are used to log faults with messages and source positions.
   *
   * @default - faults are logged as in AWS, without messages and source positions
   */
  readonly bundlesOf?: ((modulePath: string) => Promise<string>) | undefined;
}

/** Runs Dropleaf's stack with a local identity provider. @throws Error like `requireKnownDataFormat` and `startLocalCloud` */
export async function startDropleaf({ bundlesOf, ...options }: DropleafOptions): Promise<LocalCloud> {
  const { port, dataDirectory, log } = options;
  requireKnownDataFormat(dataDirectory);
  return startLocalCloud({
    ...options,
    compileCacheDirectory: compileCacheDirectory(),
    async adviseMissingGrant(...given) {
      // Dynamic import, because the module loads all operation definitions, and is needed only after a refusal.
      const { missingGrant } = await import("./missing-grant.ts");
      return missingGrant(...given);
    },
    ...(bundlesOf && {
      extraEnvironment: { [faultEnvironmentNames.withMessages]: "1" },
      explainLines: (modulePath: string) => explainerOf(modulePath, bundlesOf),
    }),
    async prepare({ template, awsEndpoint, address }) {
      // The format is stored while this process holds the folder's lock, before any function writes data.
      storeDataFormat(dataDirectory);
      // The provider needs the address in the template, because it redirects there after a sign-in.
      const serviceAddress = template.outputs[outputNames.baseUrl] ?? address;
      const identityProvider = await startIdentityProvider({ port: port + 1, serviceAddress, log });
      storeClient(awsEndpoint, template.outputs[outputNames.identityProviderParameter], identityProvider);
      return identityProvider;
    },
  });
}

/** Stores the client's id and secret, as an operator does after the first deployment. */
function storeClient(
  { parameters }: AwsEndpoint,
  parameterName: string | undefined,
  { client }: IdentityProvider,
): void {
  if (parameterName === undefined) return;
  const value = JSON.stringify({ client_id: client.id, client_secret: client.secret });
  if (parameters.find(parameterName)?.value !== value) parameters.put(parameterName, "SecureString", value);
}
