import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { AssemblyOptions, Synthesizer } from "../../local/assembly-cache.ts";
import { BuildProcess } from "../../local/build-process.ts";

/** Environment variable that the test processes inherit from their parent process. */
const variable = "DROPLEAF_TEST_BUILD";

const runMsMax = 2 * 60 * 60 * 1000;

interface SharedBuild {
  readonly url: string;
  readonly startedAtMs: number;
}

type Synthesis = Parameters<Synthesizer["synthesize"]>;
type Response =
  | { readonly result: Awaited<ReturnType<Synthesizer["synthesize"]>> }
  | { readonly error: string };

/**
 * Synthesizes the stacks of all test processes in one process: loading the CDK and synthesizing the first stack takes
 * four times as long as the next one.
 */
export async function shareBuild(): Promise<{ stop(): Promise<void> }> {
  const startedAtMs = Date.now();
  const build = new BuildProcess(runMsMax);
  const server = createServer(async (request, response) => {
    const synthesis = (await json(request)) as Synthesis;
    const outcome: Response = await build.synthesize(...synthesis).then(
      (result) => ({ result }),
      (error: Error) => ({ error: error.message }),
    );
    response.end(JSON.stringify(outcome));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env[variable] = JSON.stringify({ url, startedAtMs } satisfies SharedBuild);
  return {
    async stop() {
      delete process.env[variable];
      server.close();
      server.closeAllConnections();
      build.end();
    },
  };
}

/** The run's build process, for `findOrSynthesize`. @default - none */
export function sharedBuild(): Pick<AssemblyOptions, "build" | "unchangedSinceMs"> {
  const given = process.env[variable];
  if (given === undefined) return {};
  const { url, startedAtMs } = JSON.parse(given) as SharedBuild;
  return {
    // The build process loaded its modules at that time.
    unchangedSinceMs: startedAtMs,
    build: {
      async synthesize(...synthesis: Synthesis) {
        const response = await fetch(url, { method: "POST", body: JSON.stringify(synthesis) });
        const outcome = (await response.json()) as Response;
        if ("error" in outcome) throw new Error(outcome.error);
        return outcome.result;
      },
    },
  };
}
