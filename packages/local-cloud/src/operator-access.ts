import { rmSync } from "node:fs";
import { join } from "node:path";
import type { AccessKey } from "./aws/access-control.ts";
import { saveJson } from "./saved-json.ts";

/** Access to a running local cloud, for tools that use the SDK. */
export interface OperatorAccess {
  /** URL of the local cloud, such as `http://localhost:8787`. */
  readonly address: string;
  readonly awsEndpointUrl: string;
  /** Access key with all permissions. */
  readonly administrator: AccessKey;
  /** Seconds by which the local cloud's clock is ahead of the machine's clock. Signatures use the local cloud's time. @default 0 */
  readonly clockOffsetSeconds?: number | undefined;
  /** The template's outputs. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** The file in the data folder that contains an `OperatorAccess` while the local cloud runs. */
export const operatorAccessFile = "local-cloud.json";

/** Writes the file, which only its owner can read. `stop` removes the file. */
export function writeOperatorAccess(
  dataDirectory: string,
  access: OperatorAccess,
): { stop(): Promise<void> } {
  const file = join(dataDirectory, operatorAccessFile);
  saveJson(file, access);
  return { stop: async () => rmSync(file, { force: true }) };
}
