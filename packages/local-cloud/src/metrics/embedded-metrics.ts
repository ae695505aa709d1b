import type { MetricSink } from "./metric-store.ts";

/** The `_aws` member of a log line, which describes its metrics. */
interface Directives {
  readonly CloudWatchMetrics?: readonly {
    readonly Namespace: string;
    readonly Dimensions: readonly (readonly string[])[];
    readonly Metrics: readonly { readonly Name: string }[];
  }[];
}

/** Publishes the metrics in a line that a function printed; see "Specification: Embedded metric format", Amazon CloudWatch user guide. */
export function putEmbeddedMetrics(line: string, metrics: MetricSink): void {
  const entry = line.includes('"_aws"') ? parseObject(line) : {};
  const { CloudWatchMetrics = [] } = (entry._aws ?? {}) as Directives;
  for (const { Namespace, Dimensions, Metrics } of CloudWatchMetrics) {
    for (const names of Dimensions) {
      const dimensions = Object.fromEntries(names.map((name) => [name, String(entry[name])]));
      for (const { Name } of Metrics)
        metrics.put({ namespace: Namespace, name: Name, dimensions }, Number(entry[Name]));
    }
  }
}

function parseObject(line: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(line);
  } catch {
    // The line is not JSON, but ordinary text that contains `"_aws"`.
    return {};
  }
}
