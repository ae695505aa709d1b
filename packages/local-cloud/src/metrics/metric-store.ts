/** A CloudWatch metric: its namespace, name and dimensions. */
export interface MetricId {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

/** Receives the values that services publish. */
export interface MetricSink {
  /** Adds a value at the store's current time. */
  put(metric: MetricId, value: number): void;
  /** Registers a value that the service publishes once a minute, such as the length of a queue. */
  gauge(metric: MetricId, read: () => number): void;
}

/** Metrics of a stack, in memory. */
export interface MetricStore extends MetricSink {
  /** Publishes the current value of each gauge. */
  sampleGauges(): void;
  /** Returns the values of a metric in `[fromMs, toMs)`, in Unix milliseconds. */
  values(metric: MetricId, fromMs: number, toMs: number): readonly number[];
}

/** Discards all values. */
export const noMetrics: MetricSink = { put() {}, gauge() {} };

/** Creates an empty store with the given clock, so that a test need not wait for hours to pass. */
export function createMetricStore(now: () => number): MetricStore {
  const points = new Map<string, { readonly atMs: number; readonly value: number }[]>();
  const gauges: { readonly metric: MetricId; readonly read: () => number }[] = [];

  function put(metric: MetricId, value: number): void {
    const key = keyOf(metric);
    const all = points.get(key) ?? [];
    all.push({ atMs: now(), value });
    points.set(key, all);
  }

  return {
    put,
    gauge(metric, read) {
      gauges.push({ metric, read });
    },
    sampleGauges() {
      for (const { metric, read } of gauges) put(metric, read());
    },
    values: (metric, fromMs, toMs) =>
      (points.get(keyOf(metric)) ?? [])
        .filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
        .map(({ value }) => value),
  };
}

function keyOf({ namespace, name, dimensions }: MetricId): string {
  return JSON.stringify([namespace, name, Object.entries(dimensions).sort()]);
}
