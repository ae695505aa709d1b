import * as accessRequests from "../../access-requests/openapi.ts";
import * as account from "../../account/openapi.ts";
import * as answers from "../../answers/openapi.ts";
import * as blobs from "../../blobs/openapi.ts";
import * as comparison from "../../comparison/openapi.ts";
import type { FeatureDescription, OperationExamples } from "../../core/openapi.ts";
import * as http from "../../core/openapi.ts";
import type { DocumentSite } from "../../core/written-site.ts";
import * as drops from "../../drops/openapi.ts";
import * as feedback from "../../feedback/openapi.ts";
import * as gate from "../../gate/openapi.ts";
import * as identity from "../../identity/openapi.ts";
import * as library from "../../library/openapi.ts";
import * as mcp from "../../mcp/openapi.ts";
import * as ownerPage from "../../owner-page/openapi.ts";
import * as renders from "../../renders/openapi.ts";
import * as search from "../../search/openapi.ts";
import * as teams from "../../teams/openapi.ts";
import * as viewer from "../../viewer/openapi.ts";
import * as discovery from "../openapi.ts";

const features: readonly FeatureDescription[] = [
  accessRequests,
  account,
  answers,
  blobs,
  comparison,
  discovery,
  drops,
  feedback,
  gate,
  http,
  identity,
  library,
  mcp,
  ownerPage,
  renders,
  search,
  teams,
  viewer,
];

/** Descriptions of schemas and their fields, keyed by schema name and field path. */
export const describedFields = merge(features.map((feature) => feature.fields));

/** Descriptions of path parameters, keyed by name, or by resource and name. */
export const pathParameters = merge(features.map((feature) => feature.pathParameters));

/** Descriptions of query parameters, keyed by name, or by operation and name. */
export const queryParameters = merge(features.map((feature) => feature.queryParameters));

/** Notes that supplement the summaries of operations. */
export const notes = merge(features.map((feature) => feature.notes));

/** Finds the description of a schema by its name, or of a field by a path such as `Drop.slug`. Returns undefined for other paths. */
export function fieldDescription(path: string): string | undefined {
  return describedFields[path] ?? http.sharedFields[path.slice(path.lastIndexOf(".") + 1)];
}

/** Returns an example call for each operation that has a JSON body, a JSON response or a form. */
export function operationExamples(site: DocumentSite): Partial<OperationExamples> {
  return merge(features.map((feature) => feature.examples?.(site)));
}

/** Merges the features' descriptions. @throws Error if two features describe the same name */
function merge<Value>(
  records: readonly (Readonly<Record<string, Value>> | undefined)[],
): Readonly<Partial<Record<string, Value>>> {
  const entries = records.flatMap((record) => Object.entries(record ?? {}));
  const merged = new Map(entries);
  const [twice] = entries.find(([name, value]) => merged.get(name) !== value) ?? [];
  if (twice !== undefined) throw new Error(`Two features describe ${twice} in their openapi.ts.`);
  return Object.fromEntries(merged);
}
