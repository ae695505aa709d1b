import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { baseUrl } from "./http.ts";
import { type CommandResult, runCommand } from "./run-command.ts";

const program = fileURLToPath(new URL("../../node_modules/.bin/htmlbin", import.meta.url));

/** The client on npm, `@htmlbin/cli`, unchanged, in a folder of its own that points it at the service. */
export class PublishedClient {
  readonly directory: string;
  readonly #environment: Readonly<Record<string, string>>;

  /** Without a token, the client has none but what is in its folder. */
  static async inNewFolder(token?: string, address = baseUrl()): Promise<PublishedClient> {
    const directory = await mkdtemp(join(tmpdir(), "dropleaf-published-client-"));
    await mkdir(join(directory, ".htmlbin"));
    await writeFile(join(directory, ".htmlbin/config"), `api_url = "${address}"\n`);
    return new PublishedClient(directory, token === undefined ? {} : { HTMLBIN_TOKEN: token });
  }

  private constructor(directory: string, environment: Readonly<Record<string, string>>) {
    this.directory = directory;
    this.#environment = environment;
  }

  /** Puts a file into the folder. */
  write(name: string, content: string): Promise<void> {
    return writeFile(join(this.directory, name), content);
  }

  /** `htmlbin <args>`, whatever comes of it. */
  run(...args: readonly string[]): Promise<CommandResult> {
    return runCommand([program, ...args], { directory: this.directory, environment: this.#environment });
  }

  /** A call that must succeed: what it printed as JSON. */
  async succeed(...args: readonly string[]): Promise<Record<string, unknown>> {
    const { exitCode, stdout, stderr } = await this.run(...args, "--output", "json");
    if (exitCode !== 0 || stderr !== "") throw new Error(`htmlbin ${args.join(" ")}: ${exitCode} ${stderr}`);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  /** Removes the folder. */
  remove(): Promise<void> {
    return rm(this.directory, { recursive: true, force: true });
  }
}
