import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { type RemovalPolicy, Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { OriginSecrets } from "./settings/operating-settings.ts";
import type { Stage } from "./settings.ts";
import { removalPolicyOf } from "./storage.ts";

export interface SecretsProps {
  readonly stage: Stage;
  /** @default { sent: 1, accepted: [1] } */
  readonly originSecrets?: OriginSecrets | undefined;
}

/** The service's secrets. The template contains none of their values. */
export class Secrets extends Construct {
  /**
   * The name of the parameter of AWS Systems Manager with `{"client_id": "…", "client_secret": "…"}`. The operator creates it, since
   * CloudFormation cannot create a SecureString. Names do not begin with aws or ssm, as a stack's may: API reference, "PutParameter".
   */
  readonly identityProviderParameter: string;
  /** The name of the parameter with `{"signing_secret": "…", "bot_token": "…"}` of the app in Slack, which the operator creates, too. */
  readonly slackParameter: string;
  /** Sent by the edge to its origins: proves that a request passed the edge. */
  readonly origin: Secret;
  /** The secrets that origins accept, by their numbers: several while one is being rotated. */
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

  /** Creates the secret of a number. A rotation takes a new number, since CloudFormation does not notice a new value of the same secret. */
  #origin(number: number, removalPolicy: RemovalPolicy): Secret {
    return new Secret(this, number === 1 ? "Origin" : `Origin${number}`, {
      description: "Sent by the edge to its origins with every request",
      // An API key has 20 to 128 letters and digits.
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy,
    });
  }
}

/** A dynamic reference, resolved when the stack is deployed: the template contains no secret. */
export function valueAtDeployment(secret: Secret): string {
  return secret.secretValue.unsafeUnwrap();
}
