import { usageOfChildren, usageOfTree } from "../process-tree.ts";

/** What holds the resident memory of a process with threads, in megabytes. */
export interface MemoryShares {
  readonly resident: number;
  /** Processes that this one has started. */
  readonly children: number;
  readonly mainHeap: number;
  /** Of all threads with a heap of their own, together. */
  readonly threadHeaps: number;
  readonly threads: number;
  /** Outside of the heaps and held by them, such as bytes of requests. */
  readonly buffers: number;
}

/** As Node's diagnostic report tells it (Node.js documentation, "Diagnostic report"), and the system. */
interface Report {
  readonly javascriptHeap: Heap;
  readonly workers: readonly { readonly javascriptHeap: Heap }[];
}

interface Heap {
  readonly totalMemory: number;
  readonly externalMemory: number;
}

/** What holds the memory of this process now. */
export function memoryShares(): MemoryShares {
  const { javascriptHeap: main, workers } = process.report.getReport() as unknown as Report;
  const heaps = workers.map(({ javascriptHeap }) => javascriptHeap);
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  const sum = (of: (heap: Heap) => number) => heaps.reduce((total, heap) => total + of(heap), 0);
  return {
    resident: Math.round(usageOfTree(process.pid)?.residentMegabytes ?? Number.NaN),
    children: Math.round(usageOfChildren(process.pid)?.residentMegabytes ?? Number.NaN),
    mainHeap: megabytes(main.totalMemory),
    threadHeaps: megabytes(sum(({ totalMemory }) => totalMemory)),
    threads: heaps.length,
    buffers: megabytes(main.externalMemory + sum(({ externalMemory }) => externalMemory)),
  };
}
