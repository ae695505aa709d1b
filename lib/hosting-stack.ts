import type { Code } from "aws-cdk-lib/aws-lambda";
import { CfnOutput, Stack } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import type { OperationId } from "../functions/contract/routes.ts";
import { Api } from "./api.ts";
import { domainOf } from "./domain.ts";
import { Edge } from "./edge.ts";
import { completeIdentityProvider } from "./identity-provider-preset.ts";
import { Operations } from "./operations.ts";
import { Secrets } from "./secrets.ts";
import type { Settings } from "./settings.ts";
import { Storage } from "./storage.ts";
import { validateSettings } from "./validate-settings.ts";

export interface HostingStackProps {
  readonly settings: Settings;
  /** The code of an operation's function. */
  readonly codeOf: (id: OperationId) => Code;
}

/** The whole service in one stack. */
export class HostingStack extends Stack {
  /** @throws Error when a setting is wrong */
  constructor(scope: Construct, { settings, codeOf }: HostingStackProps) {
    validateSettings(settings);
    super(scope, settings.stackName ?? "Dropleaf", {
      description: "Dropleaf: HTML hosting for agents",
      // CloudFront takes certificates of this region only.
      env: { region: "us-east-1" },
    });
    const { stage = "production" } = settings;
    const domain = domainOf(settings);
    const storage = new Storage(this, "Storage", { stage });
    const secrets = new Secrets(this, "Secrets", { stage });
    const { restApi, domainName } = new Api(this, "Api");
    const { distribution } = new Edge(this, "Edge", {
      apiDomainName: domainName,
      originSecret: secrets.origin.secretValue.unsafeUnwrap(),
      blobs: storage.blobs,
      domain,
    });
    const baseUrl = domain?.baseUrl ?? `https://${distribution.distributionDomainName}`;
    new Operations(this, "Operations", {
      restApi,
      storage,
      secrets,
      codeOf,
      baseUrl,
      baseDomain: domain?.baseDomain ?? distribution.distributionDomainName,
      identityProvider: completeIdentityProvider(settings.identityProvider),
    });
    this.#tell("BaseUrl", "Where the service lives", baseUrl);
    this.#tell(
      "CallbackUrl",
      "To be registered with the identity provider",
      `${baseUrl}/api/auth/idp/callback`,
    );
    this.#tell(
      "DistributionDomainName",
      "What the domain's records point at",
      distribution.distributionDomainName,
    );
    this.#tell(
      "IdentityProviderSecretArn",
      'Takes {"client_id": "...", "client_secret": "..."} of the identity provider',
      secrets.identityProvider.secretArn,
    );
  }

  #tell(id: string, description: string, value: string): void {
    new CfnOutput(this, id, { description, value });
  }
}
