import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { renderComparison } from "../../scripts/cost/compare-prices.ts";
import { readPriceLists } from "../../scripts/cost/price-list.ts";
import { parseCostRequest } from "../../scripts/cost/traffic.ts";

const folder = mkdtempSync(join(tmpdir(), "dropleaf-prices-"));

afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** An offer file as JSON; AWS Billing user guide, "Reading the service price list files". */
function offerFile(
  offerCode: string,
  products: readonly (readonly [string, [start: string, USD: string][]])[],
) {
  return JSON.stringify({
    formatVersion: "v1.0",
    offerCode,
    publicationDate: "2026-09-11T12:44:22Z",
    products: Object.fromEntries(
      products.map(([usagetype], index) => [
        `SKU${index}`,
        { sku: `SKU${index}`, attributes: { usagetype } },
      ]),
    ),
    terms: {
      OnDemand: Object.fromEntries(
        products.map(([, tiers], index) => [
          `SKU${index}`,
          {
            [`SKU${index}.JRTCKXETXF`]: {
              priceDimensions: Object.fromEntries(
                tiers.map(([beginRange, USD], tier) => [
                  `SKU${index}.JRTCKXETXF.${tier}`,
                  { unit: "Requests", beginRange, endRange: "Inf", pricePerUnit: { USD } },
                ]),
              ),
            },
          },
        ]),
      ),
    },
  });
}

/** The same as CSV: lines about the file, then the columns. */
const lambdaCsv = [
  '"FormatVersion","v1.0"',
  '"Disclaimer","This pricing list is for informational purposes only, ""as is"""',
  '"Publication Date","2026-09-11T12:44:22Z"',
  '"Version","20260911124422"',
  '"OfferCode","AWSLambda"',
  '"SKU","OfferTermCode","RateCode","TermType","PriceDescription","EffectiveDate","StartingRange","EndingRange","Unit","PricePerUnit","Currency","serviceCode","usageType"',
  '"A","J","A.J.1","OnDemand","Requests, Arm","2026-09-01","0","Inf","Requests","0.0000002000","USD","AWSLambda","Request-ARM"',
  '"B","J","B.J.1","OnDemand","Free, first","2026-09-01","0","400000","Lambda-GB-Second","0.0000000000","USD","AWSLambda","Lambda-GB-Second-ARM"',
  '"B","J","B.J.3","OnDemand","Next","2026-09-01","7500000000","Inf","Lambda-GB-Second","0.0000120001","USD","AWSLambda","Lambda-GB-Second-ARM"',
  '"B","J","B.J.2","OnDemand","GB-seconds, ""Arm""","2026-09-01","400000","7500000000","Lambda-GB-Second","0.0000150000","USD","AWSLambda","Lambda-GB-Second-ARM"',
  '"C","K","C.K.1","Reserved","Another term","2026-09-01","0","Inf","Requests","0.0000001000","USD","AWSLambda","Request-ARM"',
].join("\n");

const linesOf = (table: string) =>
  table.split("\n").map((line) =>
    line
      .split("|")
      .map((cell) => cell.trim())
      .join("|"),
  );

test("our prices are printed beside those of offer files, JSON or CSV, with differences and what is missing", async () => {
  const find = await readPriceLists([
    fileOf("lambda.csv", lambdaCsv),
    fileOf(
      "dynamodb.json",
      offerFile("AmazonDynamoDB", [
        ["ReadRequestUnits", [["0", "0.0000001250"]]],
        [
          "TimedStorage-ByteHrs",
          [
            ["0", "0.0000000000"],
            ["25", "0.2500000000"],
          ],
        ],
        ["USE1-TimedPITRStorage-ByteHrs", [["0", "0.2000000000"]]],
      ]),
    ),
  ]);

  const lines = linesOf(renderComparison(find));

  expect(lines).toContain("|million requests|0.2|0.2|the same|AWSLambda Request-ARM|");
  expect(lines).toContain("|GB-second (Arm)|0.0000133334|0.000015|DIFFERENT|AWSLambda Lambda-GB-Second-ARM|");
  expect(lines).toContain(
    "|GB-month, 0.25 stored and 0.20 for point-in-time recovery|0.45|0.45|the same|AmazonDynamoDB TimedStorage-ByteHrs + AmazonDynamoDB TimedPITRStorage-ByteHrs|",
  );
  expect(lines).toContain(
    "|million write request units|0.625||not in the files|AmazonDynamoDB WriteRequestUnits|",
  );
  expect(lines).toContain("|million invocations of a schedule|1||not compared||");
});

test("the same usage type of another service is another price", async () => {
  const file = fileOf("s3.json", offerFile("AmazonS3", [["TimedStorage-ByteHrs", [["0", "0.0230000000"]]]]));

  const lines = linesOf(renderComparison(await readPriceLists([file])));

  expect(lines).toContain("|GB-month|0.023|0.023|the same|AmazonS3 TimedStorage-ByteHrs|");
  expect(lines.find((line) => line.includes("point-in-time"))).toContain("not in the files");
});

test.each([
  ["another JSON file", "{}"],
  ["another table", '"a","b"\n"1","2"'],
])("%s is refused with the address of an offer file", async (_, text) => {
  const path = fileOf("other", text);

  await expect(readPriceLists([path])).rejects.toThrow(
    `${path} is not an offer file of AWS's price list. Download index.csv or index.json of a service`,
  );
});

test("--price-list may be repeated, and asks for the comparison", () => {
  expect(parseCostRequest(["--price-list", "a.csv", "--price-list", "b.json"])).toMatchObject({
    wants: "comparison",
    priceLists: ["a.csv", "b.json"],
  });
  expect(parseCostRequest([])).toMatchObject({ wants: "estimate", priceLists: [] });
});
