import type { FileSettings } from "../lib/settings/settings-file.ts";
import type { Settings } from "../lib/settings.ts";

/** Settings that this machine cannot have: the local cloud is at localhost, without certificates and DNS. */
const ofAnotherPlace = [
  "baseUrl",
  "baseDomain",
  "hostedZone",
  "baseDomainHostedZone",
  "certificateArn",
  "concurrentExecutions",
  "identityProvider",
] as const satisfies readonly (keyof Settings)[];

/** Without a settings file the stack shows the whole contract. In AWS this part is opt-in. */
const withoutFile: Settings = { ingest: "webfunction" };

/** The browser that renders pages comes for this kind of machine alone. */
export const hasBrowser = process.platform === "linux" && process.arch === "x64";

/** Settings of a stack on this machine. */
export interface StackSettings {
  readonly settings: Settings;
  /** Settings of the file that the local cloud replaced. */
  readonly replaced: readonly (keyof Settings)[];
}

/** A file's settings for a stack on this machine, which has an address and a place to sign in of its own. */
export function stackSettings(
  port: number,
  { settings: given, isDefault }: Pick<FileSettings, "settings" | "isDefault">,
): StackSettings {
  const others = Object.entries(given).filter(([name]) => !ofAnotherPlace.some((one) => one === name));
  return {
    settings: {
      stage: "throwaway",
      // Nobody has to be let in who tries it out.
      members: "anyone",
      ...(isDefault ? withoutFile : {}),
      ...Object.fromEntries(others),
      ...(hasBrowser ? {} : { renders: false }),
      baseUrl: `http://localhost:${port}`,
      identityProvider: {
        kind: "oidc",
        issuer: `http://localhost:${port + 1}`,
        // The claim with the groups of the local provider's form.
        fields: { groups: "groups" },
      },
    },
    replaced: ofAnotherPlace.filter((name) => given[name] !== undefined),
  };
}
