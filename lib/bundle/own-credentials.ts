import { fromEnv } from "@aws-sdk/credential-provider-env";
import { type FromHttpOptions, fromHttp } from "@aws-sdk/credential-provider-http";

/**
 * Replaces `@aws-sdk/credential-provider-node`, whose SSO, file and instance-metadata clients make up a quarter of a bundle. Reads
 * credentials from environment variables (Lambda), or from the URL in an environment variable (ECS); see "Container credential provider",
 * AWS SDKs reference guide.
 */
export function defaultProvider(options: FromHttpOptions): ReturnType<typeof fromHttp> {
  return async () => {
    const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: relative, AWS_CONTAINER_CREDENTIALS_FULL_URI: full } =
      process.env;
    const isContainer = process.env.AWS_ACCESS_KEY_ID === undefined && (relative ?? full) !== undefined;
    const provide = isContainer ? fromHttp(options) : fromEnv(options);
    return provide() as ReturnType<ReturnType<typeof fromHttp>>;
  };
}
