import { fromEnv } from "@aws-sdk/credential-provider-env";
import { type FromHttpOptions, fromHttp } from "@aws-sdk/credential-provider-http";

/**
 * Replaces `@aws-sdk/credential-provider-node` in the bundles, which looks for credentials in single sign-on, files and virtual machines
 * with clients of its own: a quarter of a function's code. Here credentials come from the environment, as in Lambda, or from the address
 * that the environment names, as in ECS: AWS SDKs reference guide, "Container credential provider".
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
