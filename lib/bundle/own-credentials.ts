import { fromEnv } from "@aws-sdk/credential-provider-env";
import { type FromHttpOptions, fromHttp } from "@aws-sdk/credential-provider-http";

/**
 * Stands in for `@aws-sdk/credential-provider-node` in the bundles: that looks for credentials wherever there may be any,
 * by single sign-on, in files and from virtual machines, with clients of its own for that, a quarter of a function's code.
 * Here a role's are in the environment, as Lambda has them, or come from the address that the environment names, as ECS
 * has them: AWS SDKs reference guide, "Container credential provider".
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
