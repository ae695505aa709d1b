import {
  CloudFrontClient,
  type DistributionSummary,
  ListDistributionsCommand,
} from "@aws-sdk/client-cloudfront";
import { edgeRegion } from "../../../lib/settings.ts";
import { everyPage } from "./finding.ts";

/** Client of CloudFront's API, which is in one region. */
export function cloudFront(): CloudFrontClient {
  return new CloudFrontClient({ region: edgeRegion });
}

/** Every distribution of the account. */
export function listDistributions(): Promise<DistributionSummary[]> {
  const client = cloudFront();
  return everyPage(
    (Marker) => client.send(new ListDistributionsCommand({ Marker })),
    ({ DistributionList }) => ({ items: DistributionList?.Items, next: DistributionList?.NextMarker }),
  );
}
