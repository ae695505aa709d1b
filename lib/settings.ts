import type { IdentityFields } from "../functions/contract/environment.ts";

/** What an operator may choose; `settings.ts` at the root of the project holds one. Everything has a default. */
export interface Settings {
  /**
   * Where the service lives: scheme and host, such as `https://drops.example.com`.
   *
   * @default - the address that CloudFront gives the distribution
   */
  readonly baseUrl?: string;
  /**
   * The domain under which owners live, as `https://<namespace>.<baseDomain>/`. Needs `baseUrl`.
   *
   * @default - the host of `baseUrl`
   */
  readonly baseDomain?: string;
  /**
   * A certificate of AWS Certificate Manager in us-east-1 for the base URL's host and for `*.<baseDomain>`. With it
   * the distribution answers under these names. Needs `baseUrl` with https.
   *
   * @default - the distribution answers under its own name only
   */
  readonly certificateArn?: string;
  /**
   * Where people sign in. The client id and secret are never here: they go into the secret whose ARN the stack puts
   * out, as `{"client_id": "…", "client_secret": "…"}`.
   *
   * @default "github"
   */
  readonly identityProvider?: IdentityProvider;
  /**
   * `production` keeps table, buckets and secrets when the stack goes; `throwaway` deletes them (buckets only when
   * they are empty).
   *
   * @default "production"
   */
  readonly stage?: Stage;
  /**
   * The stack's name in CloudFormation.
   *
   * @default "Dropleaf"
   */
  readonly stackName?: string;
}

/** Whether what the stack holds is worth keeping. */
export type Stage = "production" | "throwaway";

/** GitHub, an OpenID Connect issuer, or any OAuth 2.0 provider with a userinfo endpoint. */
export type IdentityProvider = "github" | OpenIdConnectProvider | OAuthProvider;

/** A provider that describes itself at `<issuer>/.well-known/openid-configuration`. */
export interface OpenIdConnectProvider {
  readonly kind: "oidc";
  /** `https://accounts.example.com`, exactly as the provider's tokens say it. */
  readonly issuer: string;
  /** @default "openid profile" */
  readonly scope?: string;
  /** @default - `sub` and `preferred_username` */
  readonly fields?: IdentityFields;
}

/** A provider that does not describe itself. */
export interface OAuthProvider {
  readonly kind: "oauth2";
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly userinfoEndpoint: string;
  readonly scope: string;
  readonly fields: IdentityFields;
}
