import { findRendererProblem } from "../lib/bundle/renderer-package.ts";
import type { FileSettings } from "../lib/settings/settings-file.ts";
import type { Settings } from "../lib/settings.ts";

/** Settings that the local cloud replaces, because it runs at localhost without certificates and DNS. */
const replacedSettings = [
  "baseUrl",
  "baseDomain",
  "hostedZone",
  "baseDomainHostedZone",
  "certificateArn",
  "concurrentExecutions",
  "enterpriseAuthorization",
  "identityProvider",
  // On this machine, functions stay warm as long as memory is available, so they need no extra calls.
  "keepWarm",
] as const satisfies readonly (keyof Settings)[];

/** Reason why this machine cannot render pages, with advice. Undefined if the machine can render pages. */
export const renderingProblem = describeRenderingProblem();

/** Settings of the stack on this machine. */
export interface StackSettings {
  readonly settings: Settings;
  /** Names of the given settings that the local cloud has replaced. */
  readonly replaced: readonly (keyof Settings)[];
}

/** Adapts settings from a file to this machine: sets a local address and the local identity provider. */
export function stackSettings(
  port: number,
  { settings: given }: Pick<FileSettings, "settings">,
): StackSettings {
  const others = Object.entries(given).filter(([name]) => !replacedSettings.some((one) => one === name));
  return {
    settings: {
      stage: "throwaway",
      // On this machine, anyone who signs in may publish.
      members: "anyone",
      teams: "members",
      ...Object.fromEntries(others),
      ...(renderingProblem === undefined ? {} : { renders: false }),
      baseUrl: `http://localhost:${port}`,
      identityProvider: {
        kind: "oidc",
        issuer: `http://localhost:${port + 1}`,
        // The local provider writes the groups from its sign-in form into this claim.
        fields: { groups: "groups" },
      },
    },
    replaced: replacedSettings.filter((name) => given[name] !== undefined),
  };
}

function describeRenderingProblem(): string | undefined {
  if (process.platform !== "linux" || process.arch !== "x64") return "its browser runs only on Linux x64.";
  const found = findRendererProblem();
  return found && `${found.problem}. ${found.todo}`;
}
