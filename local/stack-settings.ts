import type { FileSettings } from "../lib/settings/settings-file.ts";
import type { Settings } from "../lib/settings.ts";

/** Settings that name what this machine has not: the local cloud is at localhost, without certificates and DNS, and has few functions. */
const ofAnotherPlace = [
  "baseUrl",
  "baseDomain",
  "hostedZone",
  "baseDomainHostedZone",
  "certificateArn",
  "concurrentExecutions",
  "identityProvider",
] as const satisfies readonly (keyof Settings)[];

/** Where there is no file of one's own the whole contract is to be seen; in AWS the newest service is a choice. */
const withoutFile: Settings = { ingest: "webfunction" };

/** The claim of the local provider that has what its form's field for groups was given. */
const groupsClaim = "groups";

/** The browser that renders pages comes for this kind of machine alone. */
export const hasBrowser = process.platform === "linux" && process.arch === "x64";

/** The settings that the local cloud gives a stack. */
export interface StackSettings {
  readonly settings: Settings;
  /** What the file sets, and the local cloud has set otherwise. */
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
      ...ofLocalGroups(given),
      ...(hasBrowser ? {} : { renders: false }),
      baseUrl: `http://localhost:${port}`,
      identityProvider: { kind: "oidc", issuer: `http://localhost:${port + 1}` },
    },
    replaced: ofAnotherPlace.filter((name) => given[name] !== undefined),
  };
}

/** Groups go by the claim that the local provider has. */
function ofLocalGroups({ members }: Settings): Settings {
  if (typeof members !== "object" || members.groups === undefined) return {};
  return { members: { ...members, groups: { ...members.groups, claim: groupsClaim } } };
}
