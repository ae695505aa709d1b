/** `npm run cost`: estimates dollars a month for given traffic, from the calls that the benchmark measured. */
import { renderComparison } from "./compare-prices.ts";
import { writeCostPage } from "./cost-page.ts";
import { estimate } from "./estimate.ts";
import { readMeasuredCalls } from "./measured-calls.ts";
import { readPriceLists } from "./price-list.ts";
import { estimateCaveat, renderEstimate } from "./report.ts";
import { parseCostRequest, trafficHelp } from "./traffic.ts";

try {
  const { traffic, wants, priceLists } = parseCostRequest(process.argv.slice(2));
  if (wants === "help") console.log(trafficHelp);
  else if (wants === "comparison") console.log(renderComparison(await readPriceLists(priceLists)));
  else if (wants === "page") await writeCostPage(readMeasuredCalls());
  else console.log(`${renderEstimate(estimate(traffic, readMeasuredCalls()))}\n\n${estimateCaveat}`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
