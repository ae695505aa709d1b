import { findRendererProblem } from "../lib/bundle/renderer-package.ts";
import type { FileSettings } from "../lib/settings/settings-file.ts";
import type { Settings } from "../lib/settings.ts";

/** Settings that the local cloud replaces: it runs at localhost, without certificates and DNS. */
const replacedSettings = [
  "baseUrl",
  "baseDomain",
  "hostedZone",
  "baseDomainHostedZone",
  "certificateArn",
  "concurrentExecutions",
  "enterpriseAuthorization",
  "identityProvider",
  // Functions on this machine stay warm while it has memory.
  "keepWarm",
] as const satisfies readonly (keyof Settings)[];

/** Says why this machine cannot render pages, and what to do; undefined if it can. */
export const renderingProblem = describeRenderingProblem();

/** Settings of a stack on this machine. */
export interface StackSettings {
  readonly settings: Settings;
  /** Settings of the file that the local cloud replaced. */
  readonly replaced: readonly (keyof Settings)[];
}

/** Adapts a file's settings to this machine, with local address and identity provider. */
export function stackSettings(
  port: number,
  { settings: given }: Pick<FileSettings, "settings">,
): StackSettings {
  const others = Object.entries(given).filter(([name]) => !replacedSettings.some((one) => one === name));
  return {
    settings: {
      stage: "throwaway",
      // Anyone on this machine may publish.
      members: "anyone",
      teams: "members",
      ...Object.fromEntries(others),
      ...(renderingProblem === undefined ? {} : { renders: false }),
      baseUrl: `http://localhost:${port}`,
      identityProvider: {
        kind: "oidc",
        issuer: `http://localhost:${port + 1}`,
        // The claim with the groups of the local provider's form.
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
