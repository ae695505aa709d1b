import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEventSources } from "../../src/events/event-sources.ts";
import { createLambdaService } from "../../src/lambda/lambda-service.ts";
import { loadTemplate } from "../../src/template.ts";
import type { RawResource } from "../../src/template-intrinsics.ts";
import { runEndpoint } from "../aws/running-endpoint.ts";
import { lambdaResources, writeStack } from "../fixture-stack.ts";

type Resources = Record<string, RawResource>;

/** A record that the function `F` received, with the fields that the tests check. */
export interface SeenRecord {
  readonly body?: string;
  readonly eventName?: string;
  readonly dynamodb?: { readonly Keys: { readonly pk: { readonly S: string } } };
  readonly [field: string]: unknown;
}

/** One invocation of the function `F`. */
export interface Invocation {
  readonly atMs: number;
  readonly records: readonly SeenRecord[];
}

/**
 * Returns the code of a function that writes each event to a file, and then returns or throws the result of
 * `decide(records, attempt)`. `attempt` counts the events with the same first record.
 */
function recordingFunction(file: string, decide: string): string {
  return `
    import { appendFileSync } from "node:fs";
    const attempts = new Map();
    const decide = ${decide};
    export const handler = async ({ Records }) => {
      appendFileSync(${JSON.stringify(file)}, JSON.stringify({ atMs: Date.now(), records: Records }) + "\\n");
      const first = Records[0].messageId ?? Records[0].eventID;
      attempts.set(first, (attempts.get(first) ?? 0) + 1);
      return decide(Records, attempts.get(first));
    };`;
}

/** Settings of `writeEventStack`. */
export interface EventStackOptions {
  readonly resources: Resources;
  /** Statements of the function's role. */
  readonly statements: readonly object[];
  /** JavaScript: `(records, attempt) => answer`. */
  readonly decide?: string;
  /** Concurrent executions of the account. @default 1,000 */
  readonly concurrentExecutions?: number;
}

/** Writes a stack with a function `F` that stores its events, and with its own data folder. */
export function writeEventStack({
  resources,
  statements,
  decide = "() => null",
  concurrentExecutions,
}: EventStackOptions) {
  const folder = mkdtempSync(join(tmpdir(), "dropleaf-events-"));
  const seenFile = join(folder, "seen.jsonl");
  const stack = writeStack(
    {
      ...lambdaResources("F"),
      Policy: {
        Type: "AWS::IAM::Policy",
        Properties: { Roles: [{ Ref: "FRole" }], PolicyDocument: { Statement: statements } },
      },
      ...resources,
    },
    { F: recordingFunction(seenFile, decide) },
  );
  return {
    assetsDirectory: stack.directory,
    dataDirectory: join(folder, "data"),
    seenFile,
    concurrentExecutions,
    remove() {
      stack.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs the endpoint, the functions and the event sources of the stack. */
export async function runEventStack(written: ReturnType<typeof writeEventStack>) {
  const template = loadTemplate(written.assetsDirectory);
  const running = await runEndpoint(template, written.dataDirectory);
  const log = (line: string) => void running.logLines.push(line);
  const { endpoint } = running;
  const lambda = createLambdaService({
    template,
    readSecret: endpoint.readSecret,
    awsEndpointUrl: endpoint.url,
    credentialsFor: endpoint.credentialsFor,
    ...(written.concurrentExecutions ? { concurrentExecutions: written.concurrentExecutions } : {}),
    log,
  });
  async function stopEndpoint(): Promise<void> {
    await lambda.stop();
    await endpoint.stop();
  }
  try {
    const { dataDirectory } = written;
    const sources = await startEventSources({ template, awsEndpoint: endpoint, lambda, dataDirectory, log });
    return {
      ...running,
      queue(name: string) {
        const queue = endpoint.queues.get(name);
        if (!queue) throw new Error(`no queue ${name}`);
        return queue;
      },
      invocations: () => readInvocations(written.seenFile),
      /** Invokes the function `F`, which uses one of the account's concurrent executions. */
      occupy: () =>
        lambda.invoke("F", JSON.stringify({ Records: [{ messageId: "occupied", eventID: "occupied" }] })),
      async stop() {
        await sources.stop();
        await stopEndpoint();
      },
    };
  } catch (error) {
    await stopEndpoint();
    throw error;
  }
}

/** Reads all invocations, also from before a restart. */
export function readInvocations(file: string): Invocation[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Invocation);
}

/** Creates an Allow statement. */
export function allow(action: string | string[], resource: unknown): object {
  return { Effect: "Allow", Action: action, Resource: resource };
}
