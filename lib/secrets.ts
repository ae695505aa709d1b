import { type CfnSecret, Secret } from "aws-cdk-lib/aws-secretsmanager";
import { RemovalPolicy } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { Stage } from "./settings.ts";

export interface SecretsProps {
  readonly stage: Stage;
}

/** The service's secrets. None of their values is known when the template is made. */
export class Secrets extends Construct {
  /** `{"client_id": "…", "client_secret": "…"}`, empty until the operator fills it. */
  readonly identityProvider: Secret;
  /** Signs the cookies of sign-in and of unlocked drops. */
  readonly cookieKey: Secret;
  /** Proves to the functions that a request came through the edge. */
  readonly origin: Secret;

  constructor(scope: Construct, id: string, { stage }: SecretsProps) {
    super(scope, id);
    const removalPolicy = stage === "production" ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    this.identityProvider = new Secret(this, "IdentityProvider", {
      description: 'Registration with the identity provider: {"client_id": "...", "client_secret": "..."}',
      removalPolicy,
    });
    // The construct would fill it with a random value, which looks as if the operator had done it.
    (this.identityProvider.node.defaultChild as CfnSecret).generateSecretString = undefined;
    this.cookieKey = this.#generated("CookieKey", "Signs cookies", removalPolicy);
    this.origin = this.#generated(
      "Origin",
      "Sent by the edge to the functions with every request",
      removalPolicy,
    );
  }

  /** Letters and digits only, so that it fits into a header. */
  #generated(id: string, description: string, removalPolicy: RemovalPolicy): Secret {
    const generateSecretString = { passwordLength: 64, excludePunctuation: true };
    return new Secret(this, id, { description, generateSecretString, removalPolicy });
  }
}
