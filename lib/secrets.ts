import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { type RemovalPolicy, Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { OriginSecrets } from "./settings/operating-settings.ts";
import type { Stage } from "./settings.ts";
import { removalPolicyOf } from "./storage.ts";

export interface SecretsProps {
  readonly stage: Stage;
  /** Numbers of the secrets between the edge and its origins. @default { sent: 1, accepted: [1] } */
  readonly originSecrets?: OriginSecrets | undefined;
}

/** The service's secrets. The template contains none of their values. */
export class Secrets extends Construct {
  /**
   * Name of the AWS Systems Manager parameter with `{"client_id": "…", "client_secret": "…"}`. The operator creates the parameter, because
   * CloudFormation cannot create a SecureString. The name begins with a slash and a fixed word, because a parameter name must not begin
   * with aws or ssm, unlike a stack name; see "PutParameter", AWS Systems Manager API reference.
   */
  readonly identityProviderParameter: string;
  /**
   * Name of the AWS Systems Manager parameter with the Slack app's `{"signing_secret": "…", "bot_token": "…"}`. The operator creates the
   * parameter.
   */
  readonly slackParameter: string;
  /** Secret that the edge sends to its origins. The secret proves that a request passed the edge. */
  readonly origin: Secret;
  /** Secrets that the origins accept, by number. During a rotation, several are accepted. */
  readonly acceptedOrigins: ReadonlyMap<number, Secret>;

  constructor(scope: Construct, id: string, { stage, originSecrets }: SecretsProps) {
    super(scope, id);
    const removalPolicy = removalPolicyOf(stage);
    this.identityProviderParameter = `/dropleaf/${Stack.of(this).stackName}/identity-provider`;
    this.slackParameter = `/dropleaf/${Stack.of(this).stackName}/slack`;
    const { sent, accepted } = originSecrets ?? { sent: 1, accepted: [1] };
    this.acceptedOrigins = new Map(accepted.map((number) => [number, this.#origin(number, removalPolicy)]));
    this.origin = this.acceptedOrigins.get(sent) ?? this.#origin(sent, removalPolicy);
  }

  /**
   * Creates the secret with this number. A rotation uses a new number, because CloudFormation does not notice a new value of the same
   * secret.
   */
  #origin(number: number, removalPolicy: RemovalPolicy): Secret {
    return new Secret(this, number === 1 ? "Origin" : `Origin${number}`, {
      description: "Secret that the edge sends to its origins with every request",
      // An API key may have 20 to 128 letters and digits.
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy,
    });
  }
}

/** Returns a dynamic reference that CloudFormation resolves during the deployment. The template contains no secret. */
export function valueAtDeployment(secret: Secret): string {
  return secret.secretValue.unsafeUnwrap();
}
