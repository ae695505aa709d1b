import type { IdentityProviderSettings } from "../functions/platform/environment.ts";
import type { IdentityProvider } from "./settings.ts";

/** GitHub documentation, "Authorizing OAuth apps" and "Get the authenticated user". */
const github: IdentityProviderSettings = {
  kind: "oauth2",
  authorizationEndpoint: "https://github.com/login/oauth/authorize",
  tokenEndpoint: "https://github.com/login/oauth/access_token",
  userinfoEndpoint: "https://api.github.com/user",
  scope: "read:user",
  fields: { id: "id", username: "login" },
};

/** What the functions are told of the identity provider, with the presets' endpoints and defaults filled in. */
export function completeIdentityProvider(provider: IdentityProvider = "github"): IdentityProviderSettings {
  if (provider === "github") return github;
  if (provider.kind === "oauth2") return provider;
  return {
    // OpenID Connect Core 1.0, sections 5.1 (claims) and 5.4 (the scope that asks for them).
    scope: "openid profile",
    fields: { id: "sub", username: "preferred_username" },
    ...provider,
  };
}
