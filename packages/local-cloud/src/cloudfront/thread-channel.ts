/** Far above an event, whose headers and URL CloudFront limits to 20,480 bytes, and above what a function may answer. */
export const textBytesMax = 1_048_576;

/** Index of each number. A thread waits for a number to change. */
const ready = 0;
const asked = 1;
const answered = 2;
const textBytes = 3;
const numbersBytes = 4 * Int32Array.BYTES_PER_ELEMENT;

/**
 * Memory by which one thread asks another and stands still until the response is there: without an event loop between them,
 * that takes a few hundredths of a millisecond.
 */
export class ThreadChannel {
  readonly memory: SharedArrayBuffer;
  readonly #numbers: Int32Array;
  readonly #text: Buffer;

  /** @param memory of the channel's other end */
  constructor(memory = new SharedArrayBuffer(numbersBytes + textBytesMax)) {
    this.memory = memory;
    this.#numbers = new Int32Array(memory, 0, numbersBytes / Int32Array.BYTES_PER_ELEMENT);
    this.#text = Buffer.from(memory, numbersBytes);
  }

  /** True when the other thread accepts requests before the time is over. */
  isServed(waitMs: number): boolean {
    return Atomics.wait(this.#numbers, ready, 0, waitMs) !== "timed-out";
  }

  /** Gives undefined where no response comes in time: the other thread is of no use any more then. */
  ask(question: string, waitMs: number): string | undefined {
    this.#write(question);
    const number = Atomics.add(this.#numbers, asked, 1) + 1;
    Atomics.notify(this.#numbers, asked);
    return this.#isReached(answered, number, waitMs) ? this.#read() : undefined;
  }

  /** Answers questions for as long as the thread lives. */
  serve(answer: (question: string) => string): never {
    Atomics.store(this.#numbers, ready, 1);
    Atomics.notify(this.#numbers, ready);
    for (let number = 1; ; number += 1) {
      this.#isReached(asked, number, Number.POSITIVE_INFINITY);
      this.#write(answer(this.#read()));
      Atomics.store(this.#numbers, answered, number);
      Atomics.notify(this.#numbers, answered);
    }
  }

  /**
   * Waits until a number is what it counts up to. Who has counted may notify late, when the other has seen it and waits for
   * the next already: to be woken says nothing.
   */
  #isReached(index: number, number: number, waitMs: number): boolean {
    const deadlineMs = performance.now() + waitMs;
    while (Atomics.load(this.#numbers, index) !== number) {
      const leftMs = deadlineMs - performance.now();
      if (leftMs <= 0) return false;
      Atomics.wait(this.#numbers, index, number - 1, leftMs);
    }
    return true;
  }

  #read(): string {
    return this.#text.toString("utf8", 0, Atomics.load(this.#numbers, textBytes));
  }

  #write(text: string): void {
    const bytes = Buffer.byteLength(text);
    if (bytes > textBytesMax) throw new RangeError(`${bytes} bytes are more than ${textBytesMax}`);
    this.#text.write(text);
    Atomics.store(this.#numbers, textBytes, bytes);
  }
}
