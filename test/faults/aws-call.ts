import { readObjectKey } from "../../functions/table-stream/orphans.ts";

/** A call of AWS in an execution: one `send` of a client, including the SDK's retries. */
export interface AwsCall {
  /** Label that is the same in every run of an operation, such as `UpdateItem TOKEN/TOKEN` or `PutObject page.html`. */
  readonly label: string;
  /** Kind of the call: action and item. */
  readonly kind: string;
  /** Number of the call among those of its kind in the execution, from 1. */
  readonly number: number;
  /** The service's name in the SDK, such as `DynamoDB`. */
  readonly service: string;
  /** The command, such as `UpdateItem`. */
  readonly command: string;
  readonly isRead: boolean;
}

const reads = /^(BatchGet|Get|Head|List|Query|Scan)/;

/** Labels a call by its command and target. The second of the same kind in one execution is `… (2)`. */
export function describeCall(
  service: string,
  command: string,
  input: object,
  earlier: readonly AwsCall[],
): AwsCall {
  const target = targetOf(input as Record<string, unknown>);
  const kind = target === "" ? command : `${command} ${target}`;
  const number = 1 + earlier.filter((call) => call.kind === kind).length;
  return {
    kind,
    number,
    label: number === 1 ? kind : `${kind} (${number})`,
    service,
    command,
    isRead: reads.test(command),
  };
}

/** Attribute value of the document client, or of DynamoDB in a raw query. */
type KeyPart = string | { readonly S: string } | undefined;
type Key = Readonly<Record<string, KeyPart>>;

function targetOf(input: Record<string, unknown>): string {
  if (input.Key !== undefined)
    return typeof input.Key === "string" ? objectKind(input.Key) : family(input.Key);
  if (input.Item !== undefined) return family(input.Item);
  if (input.TransactItems !== undefined) return transaction(input.TransactItems as object[]);
  if (input.ExpressionAttributeValues !== undefined) {
    const { ":pk": pk, ":prefix": sk } = input.ExpressionAttributeValues as Key;
    return family({ pk, sk });
  }
  return "";
}

function transaction(writes: readonly object[]): string {
  return writes
    .flatMap((write) => Object.values(write) as { readonly Key?: Key; readonly Item?: Key }[])
    .map(({ Key, Item }) => family(Key ?? Item))
    .join("+");
}

/** The kinds of a key's two parts: `USER/DROP`. */
function family(key: unknown): string {
  const { pk, sk } = key as Key;
  const [partition = "", sort = ""] = [pk, sk].map((part) => (typeof part === "object" ? part.S : part));
  // The sort key is a time.
  if (partition.startsWith("AUDIT#")) return "AUDIT/LINE";
  return [partition, sort].map((part) => kindOf(part)).join("/");
}

/** Returns the kind of a part of a key. Zero-padded times in milliseconds differ between runs, so they share one kind. */
function kindOf(part: string): string {
  const [kind = ""] = part.split("#");
  return /^\d{14}$/.test(kind) ? "MOMENT" : kind;
}

function objectKind(key: string): string {
  const { kind } = readObjectKey("pages", key);
  if (kind === "page") return key.replace(/^.*\/[^.]+/, "page");
  return kind === "staged" ? "staged file" : "file";
}
