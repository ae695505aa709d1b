import { closeSync, createReadStream, openSync, readFileSync, readSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Offer } from "./prices.ts";

/** A price of AWS's price list: dollars for one unit. */
export interface OfferedPrice {
  readonly dollars: number;
  readonly unit: string;
}

/** Finds the on-demand price of an offer: the first tier that is not free. Undefined where the files have none. */
export type FindOffer = (offer: Offer) => OfferedPrice | undefined;

/** A price of a usage type, from `start` units on. */
interface Row extends OfferedPrice {
  readonly service: string;
  readonly usageType: string;
  readonly start: number;
}

/**
 * Reads offer files of us-east-1, as JSON or CSV. A CSV file is read line by line, so that it may have hundreds of megabytes.
 *
 * Source: AWS Billing user guide, "Reading the service price list files".
 *
 * @throws Error naming the file that is no offer file
 */
export async function readPriceLists(paths: readonly string[]): Promise<FindOffer> {
  const rows: Row[] = [];
  for (const path of paths) rows.push(...(beginsWith(path, "{") ? readJson(path) : await readCsv(path)));
  return ({ service, usageType }) =>
    rows
      .filter(
        (row) => row.service === service && withoutRegion(row.usageType) === usageType && row.dollars > 0,
      )
      .toSorted((one, other) => one.start - other.start)[0];
}

/** Some services write the region before a usage type, such as `USE1-`. */
function withoutRegion(usageType: string): string {
  return usageType.replace(/^USE1-/, "");
}

function beginsWith(path: string, character: string): boolean {
  const beginning = Buffer.alloc(16);
  const file = openSync(path, "r");
  readSync(file, beginning);
  closeSync(file);
  return beginning.toString().trimStart().startsWith(character);
}

interface OfferFile {
  readonly offerCode?: string;
  readonly products?: Readonly<Record<string, { attributes: { usagetype?: string } }>>;
  readonly terms?: {
    readonly OnDemand?: Readonly<Record<string, Readonly<Record<string, Term>>>>;
  };
}

interface Term {
  readonly priceDimensions: Readonly<
    Record<string, { unit: string; beginRange: string; pricePerUnit: { USD?: string } }>
  >;
}

function readJson(path: string): Row[] {
  const { offerCode, products, terms } = JSON.parse(readFileSync(path, "utf8")) as OfferFile;
  if (offerCode === undefined || products === undefined || terms === undefined) throw notAnOfferFile(path);
  return Object.entries(products).flatMap(([sku, { attributes }]) =>
    Object.values(terms.OnDemand?.[sku] ?? {}).flatMap(({ priceDimensions }) =>
      Object.values(priceDimensions).map(({ unit, beginRange, pricePerUnit }) => ({
        service: offerCode,
        usageType: attributes.usagetype ?? "",
        dollars: Number(pricePerUnit.USD ?? 0),
        unit,
        start: Number(beginRange),
      })),
    ),
  );
}

/** Lines about the file come before the line with the names of the columns. */
async function readCsv(path: string): Promise<Row[]> {
  const rows: Row[] = [];
  let columns: readonly string[] | undefined;
  let service = "";
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const cells = cellsOf(line);
    if (columns === undefined) {
      if (cells[0] === "OfferCode") service = cells[1] ?? "";
      if (cells[0] === "SKU") columns = cells;
      continue;
    }
    const names = columns;
    const cell = (name: string) => cells[names.indexOf(name)] ?? "";
    if (cell("TermType") !== "OnDemand") continue;
    rows.push({
      service: cell("serviceCode") || service,
      usageType: cell("usageType"),
      dollars: Number(cell("PricePerUnit")),
      unit: cell("Unit"),
      start: Number(cell("StartingRange")),
    });
  }
  if (columns === undefined) throw notAnOfferFile(path);
  return rows;
}

/** Every cell is in quotes, and a quote in it is doubled. */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, cell = ""]) => cell.replaceAll('""', '"'));
}

function notAnOfferFile(path: string): Error {
  return new Error(
    `${path} is not an offer file of AWS's price list. Download index.csv or index.json of a service, such as ` +
      "https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AWSLambda/current/us-east-1/index.csv",
  );
}
