import { CloudFront, type DistributionSummary } from "@aws-sdk/client-cloudfront";
import { edgeRegion } from "../../../lib/settings.ts";

/** Creates a client of CloudFront's API, which is available in one region only. */
export const cloudFront = () => new CloudFront({ region: edgeRegion });

/** Calls an operation by its name, because the operations for different policy types differ only in their names. */
function call(operation: string, input: object): Promise<Record<string, unknown>> {
  const operations = cloudFront() as unknown as Record<string, (input: object) => Promise<never>>;
  return operations[operation]?.(input) ?? Promise.reject(new TypeError(`No operation ${operation}.`));
}

/** Reads all pages of a list. All list operations of CloudFront's API have the same shape. */
async function listEvery<Item>(operation: string, list: string, input: object = {}): Promise<Item[]> {
  const all: Item[] = [];
  let Marker: string | undefined;
  do {
    const page = (await call(operation, { ...input, Marker }))[list];
    const { Items = [], NextMarker } = (page ?? {}) as { Items?: Item[]; NextMarker?: string };
    all.push(...Items);
    Marker = NextMarker;
  } while (Marker);
  return all;
}

/** Lists all distributions of the account. */
export const listDistributions = () =>
  listEvery<DistributionSummary>("listDistributions", "DistributionList");

/** Lists the names of the account's CloudFront Functions. */
export async function listFunctionNames(): Promise<string[]> {
  const stage = { Stage: "DEVELOPMENT" };
  const all = await listEvery<{ readonly Name?: string }>("listFunctions", "FunctionList", stage);
  return all.map(({ Name = "" }) => Name);
}

/** Policy types. `name` is the suffix of the CloudFormation type and of the IAM actions. */
export const policyKinds = Object.entries({
  CachePolicy: "L-7D134442",
  OriginRequestPolicy: "L-C3659C43",
  ResponseHeadersPolicy: "L-CF0D4FC5",
}).map(([name, quotaCode]) => {
  const plural = name.replace(/y$/, "ies");
  const about = plural.replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return { about, name, plural, quotaCode };
});
type PolicyKind = (typeof policyKinds)[number];

/** Lists the account's own policies of a type. */
export async function listPolicies({ name, plural }: PolicyKind): Promise<{ id: string; name: string }[]> {
  type Policy = { readonly Id?: string } & Readonly<Record<string, { readonly Name?: string }>>;
  const all = await listEvery<Record<string, Policy>>(`list${plural}`, `${name}List`, { Type: "custom" });
  return all.map((item) => ({ id: item[name]?.Id ?? "", name: item[name]?.[`${name}Config`]?.Name ?? "" }));
}

/** @param config policy configuration as API parameters */
export const createPolicy = ({ name }: PolicyKind, config: object) =>
  call(`create${name}`, { [`${name}Config`]: config });

export async function deletePolicy({ name }: PolicyKind, Id: string): Promise<void> {
  const { ETag: IfMatch } = await call(`get${name}`, { Id });
  await call(`delete${name}`, { Id, IfMatch });
}
