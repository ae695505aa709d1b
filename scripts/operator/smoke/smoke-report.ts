import { bundledCommit } from "../../../lib/bundle/bundled-commit.ts";
import { serviceVersion } from "../../../lib/service-version.ts";
import type { SmokeClient } from "./smoke-client.ts";
import type { Steps } from "./steps.ts";

/** Makes a report that may be given to strangers: it has no host, no owner's name and no token. */
export async function describeRun(
  client: SmokeClient,
  steps: Steps,
  { region, startedAtMs }: { readonly region: string | undefined; readonly startedAtMs: number },
): Promise<string> {
  const { version, edge } = client.seen;
  const result = steps.signal.aborted ? "interrupted" : steps.isWell ? "all is well" : "something is wrong";
  const lines = [
    `started   ${new Date(startedAtMs).toISOString()}`,
    `service   version ${version ?? "not told"}, region ${region ?? "not known: --stack tells it"}, edge ${edge ?? "not told"}`,
    `checkout  version ${serviceVersion}, commit ${(await bundledCommit()) ?? "not known"}, Node ${process.version}`,
    `result    ${result}`,
    "",
    ...steps.lines(),
  ];
  return client.redact(lines.join("\n"));
}
