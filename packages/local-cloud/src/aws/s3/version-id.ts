import { randomBytes } from "node:crypto";
import { AwsError } from "../aws-error.ts";

/** Version id of an object that was stored before its bucket had versions; see "Using versioning in S3 buckets". */
export const NULL_VERSION = "null";

const TIME_DIGITS = 9;
const COUNT_DIGITS = 4;

let lastMs = 0;
let count = 0;

/** Returns an id for a new version. As text, it sorts after all earlier ids. */
export function newVersionId(): string {
  const nowMs = Date.now();
  count = nowMs > lastMs ? 0 : count + 1;
  lastMs = Math.max(nowMs, lastMs);
  const time = lastMs.toString(36).padStart(TIME_DIGITS, "0");
  return `${time}${count.toString(36).padStart(COUNT_DIGITS, "0")}${randomBytes(6).toString("hex")}`;
}

/** Parses the version id of a request, which may have none. Throws AwsError InvalidArgument for an id of another format. */
export function parseVersionId(value: string | undefined): string | undefined {
  if (value === undefined || value === NULL_VERSION || /^[0-9a-z]{25}$/.test(value)) return value;
  throw new AwsError("InvalidArgument", 400, "Invalid version id specified", {
    ArgumentName: "versionId",
    ArgumentValue: value,
  });
}

/** Orders ids from the newest to the oldest. The null version is the oldest. */
export function compareNewestFirst(a: string, b: string): number {
  const [first, second] = [a, b].map((id) => (id === NULL_VERSION ? "" : id)) as [string, string];
  return first < second ? 1 : first > second ? -1 : 0;
}
