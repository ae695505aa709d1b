import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { type RemovalPolicy, Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { OriginSecrets, Stage } from "./settings.ts";
import { removalPolicyOf } from "./storage.ts";

export interface SecretsProps {
  readonly stage: Stage;
  /** @default { sent: 1, accepted: [1] } */
  readonly originSecrets?: OriginSecrets | undefined;
}

/** The service's secrets. None of their values is known when the template is made. */
export class Secrets extends Construct {
  /**
   * The name of the parameter of AWS Systems Manager with `{"client_id": "…", "client_secret": "…"}`. The operator puts it:
   * CloudFormation makes no SecureString. Names do not begin with aws or ssm, as a stack's may: API reference, "PutParameter".
   */
  readonly identityProviderParameter: string;
  /** Proves to the functions that a request came through the edge, which sends it. */
  readonly origin: Secret;
  /** Every proof that the functions take, separated by commas: several while the secret is being rotated. */
  readonly acceptedOrigins: string;

  constructor(scope: Construct, id: string, { stage, originSecrets }: SecretsProps) {
    super(scope, id);
    const removalPolicy = removalPolicyOf(stage);
    this.identityProviderParameter = `/dropleaf/${Stack.of(this).stackName}/identity-provider`;
    const { sent, accepted } = originSecrets ?? { sent: 1, accepted: [1] };
    const origins = new Map(accepted.map((number) => [number, this.#origin(number, removalPolicy)]));
    this.origin = origins.get(sent) ?? this.#origin(sent, removalPolicy);
    this.acceptedOrigins = [...origins.values()].map(valueAtDeployment).join(",");
  }

  /** Another number is another secret, since CloudFormation does not notice a new value of the same one. */
  #origin(number: number, removalPolicy: RemovalPolicy): Secret {
    return new Secret(this, number === 1 ? "Origin" : `Origin${number}`, {
      description: "Sent by the edge to the functions with every request",
      // Letters and digits only, so that it fits into a header.
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy,
    });
  }
}

/** A dynamic reference, resolved when the stack is deployed: the template holds no secret. */
export function valueAtDeployment(secret: Secret): string {
  return secret.secretValue.unsafeUnwrap();
}
