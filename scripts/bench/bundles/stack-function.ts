import { join } from "node:path";
import type { Grants } from "../../../functions/http/route.ts";
import { grantsOf } from "../../../functions/routes.ts";
import { workerIds, workerOf } from "../../../functions/workers.ts";
import { bundleFunctions } from "../../../lib/bundle/bundle.ts";
import {
  documentOperationIds,
  documentsSource,
  handlerSource,
  servedOperationIds,
  workerSource,
} from "../../../lib/bundle/function-source.ts";
import { createTemporaryDirectory } from "../temporary-directory.ts";

/** A Lambda function of the stack, bundled as it is deployed. */
export interface StackFunction {
  /** Its row in the contract. */
  readonly id: string;
  readonly grants: readonly Grants[];
  readonly modulePath: string;
}

/** Bundles every function that has a row, in the order of the rows. */
export async function bundleStackFunctions(): Promise<StackFunction[]> {
  const rows = [
    ...servedOperationIds.map((id) => ({ source: handlerSource(id), grants: grantsOf(id) })),
    { source: documentsSource, grants: documentOperationIds.flatMap(grantsOf) },
    ...workerIds.map((id) => ({ source: workerSource(id), grants: workerOf(id).grants })),
  ];
  const outputDirectory = join(createTemporaryDirectory(), "functions");
  const sources = rows.map(({ source }) => source);
  const { directory } = await bundleFunctions(sources, outputDirectory);
  return rows.map(({ source: { id }, grants }) => ({
    id,
    grants,
    modulePath: join(directory, id, "index.mjs"),
  }));
}
