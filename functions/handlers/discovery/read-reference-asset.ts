import { readReferenceAssetRoute } from "../../contract/discovery-routes.ts";
import { findAsset } from "../../http/asset-answer.ts";
import { operation } from "../../http/operation.ts";

/** GET /docs/{asset}: a script or style whose name changes with what it holds. */
export const readReferenceAsset = operation(readReferenceAssetRoute, async ({ request }) =>
  findAsset(request.pathParameters.asset ?? "", request),
);
