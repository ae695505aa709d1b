import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { type Manifest, manifestKey } from "../../../functions/search/index-files.ts";
import { searchedDropsMax, sizeOf } from "../../../functions/search/index-size.ts";
import { type Check, type Result, well } from "./finding.ts";
import type { Plan } from "./plan.ts";

/** Permissions of the check, and the one object of a stack that it reads. */
export const searchStatement = {
  Effect: "Allow",
  Action: ["s3:GetObject"],
  Resource: `arn:aws:s3:::*/${manifestKey}`,
} as const;

/** Checks that search stays fast in a stack that is deployed. There is nothing to check without a bucket of pages. */
export function searchChecks({ region }: Plan, pagesBucket: string | undefined): Check[] {
  if (pagesBucket === undefined) return [];
  const run = () => checkIndexSize(new S3Client({ region }), pagesBucket);
  return [{ about: "Search", actions: searchStatement.Action, run }];
}

async function checkIndexSize(client: S3Client, pagesBucket: string): Promise<Result> {
  const command = new GetObjectCommand({ Bucket: pagesBucket, Key: manifestKey });
  const { Body } = await client.send(command);
  const { entries, megabytes, isNearBound } = sizeOf(
    JSON.parse((await Body?.transformToString()) ?? "") as Manifest,
  );
  const says = `the index has ${entries.toLocaleString("en-US")} entries, ${megabytes} MB`;
  if (!isNearBound) return well(says);
  return {
    verdict: "warns",
    says: `${says}; search gets slow above ${searchedDropsMax.toLocaleString("en-US")} drops`,
    todo: "Plan another search engine: docs/adr/0101-full-text-search.md.",
  };
}
