import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { S3Client } from "@aws-sdk/client-s3";
import { findFreePort } from "@dropleaf/local-cloud/free-port";
import { type OperatorAccess, operatorAccessFile } from "@dropleaf/local-cloud/operator-access";
import { databaseProcess } from "../../packages/local-cloud/test/aws/database-process.ts";
import { runCommand } from "../support/run-command.ts";

/** Time limit for a start that hangs, generous for a busy machine. */
const readyMsMax = 180_000;

/** The service as `npm start` runs it, which can be killed and restarted on the same data. */
export class KilledService {
  readonly port: number;
  readonly address: string;
  readonly dataDirectory: string;
  readonly #scratchDirectory: string;
  #child: ChildProcess | undefined;

  private constructor(port: number, scratchDirectory: string) {
    this.port = port;
    this.address = `http://localhost:${port}`;
    this.#scratchDirectory = scratchDirectory;
    this.dataDirectory = join(scratchDirectory, "data");
  }

  /** Prepares a stopped service with an empty data folder. */
  static async prepare(): Promise<KilledService> {
    return new KilledService(await findFreePort(2), mkdtempSync(join(tmpdir(), "dropleaf-kill-")));
  }

  /** Starts the service unless it runs, and waits until it is ready. */
  async start(): Promise<void> {
    if (this.#child !== undefined) return;
    const temporaryDirectory = join(this.#scratchDirectory, "tmp");
    mkdirSync(temporaryDirectory, { recursive: true });
    const child = spawn(process.execPath, ["bin/start.mjs"], {
      env: {
        PATH: process.env.PATH ?? "",
        PORT: String(this.port),
        DATA_DIR: this.dataDirectory,
        TMPDIR: temporaryDirectory,
        // Rendering each page in a browser would use most of the processors.
        SETTINGS: "test/abuse/settings.json",
      },
      stdio: ["ignore", "pipe", "pipe"],
      // A separate process group, so that the service and its ingest server die at the same moment.
      detached: true,
    });
    this.#child = child;
    let output = "";
    await new Promise<void>((resolve, reject) => {
      const deadline = setTimeout(
        () => reject(new Error(`The service is not ready in time:\n${output}`)),
        readyMsMax,
      );
      const hear = (bytes: Buffer) => {
        output = `${output}${bytes}`.slice(-4_000);
        if (!output.includes(`Dropleaf is ready at ${this.address}`)) return;
        clearTimeout(deadline);
        resolve();
      };
      child.stdout.on("data", hear);
      child.stderr.on("data", hear);
      child.once("exit", () => {
        this.#child = undefined;
        reject(new Error(`The service ended before it was ready:\n${output}`));
      });
    });
  }

  /** Kills all processes of the service, after stopping them, so that none outlives another. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    const processes = [-child.pid, databaseProcess(this.dataDirectory)].filter((one) => one !== undefined);
    const ended = once(child, "exit");
    for (const one of processes) process.kill(one, "SIGSTOP");
    for (const one of processes) process.kill(one, "SIGKILL");
    this.#child = undefined;
    await ended;
  }

  /** Ages the messages of all queues by `ms`. Only while the service is stopped. */
  passQueueTime(ms: number): void {
    const database = new DatabaseSync(join(this.dataDirectory, "sqs.sqlite"));
    database.prepare("UPDATE messages SET visible_at_ms = visible_at_ms - ?").run(ms);
    database.close();
  }

  /** Checks the table's file with SQLite; `ok` without errors. Only while the service is stopped. */
  checkTableFile(): unknown {
    const database = new DatabaseSync(join(this.dataDirectory, "dynamodb.sqlite"));
    const found = database.prepare("PRAGMA integrity_check").all();
    database.close();
    return found.map((row) => row.integrity_check).join("; ");
  }

  /** Opens the service's storage with administrator permissions. */
  openStorage(): { readonly s3: S3Client; readonly outputs: OperatorAccess["outputs"] } {
    const file = join(this.dataDirectory, operatorAccessFile);
    const { awsEndpointUrl, administrator, outputs } = JSON.parse(
      readFileSync(file, "utf8"),
    ) as OperatorAccess;
    const s3 = new S3Client({
      endpoint: awsEndpointUrl,
      credentials: administrator,
      region: "us-east-1",
      forcePathStyle: true,
    });
    return { s3, outputs };
  }

  /** Kills the service and deletes its data. */
  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#scratchDirectory, { recursive: true, force: true });
  }
}

/** Runs an operator command on a service. */
export function operate({ dataDirectory }: KilledService, ...command: readonly string[]) {
  const operator = new URL("../../scripts/operator/operator.ts", import.meta.url).pathname;
  return runCommand([process.execPath, "--import", "tsx", operator, ...command, "--local", dataDirectory], {
    directory: process.cwd(),
  });
}
