import { AwsError } from "../aws-error.ts";

const LINE_BYTES_MAX = 8 * 1024;

/**
 * Decodes the framing of an aws-chunked body. Each chunk is `<hex length>\r\n<bytes>\r\n`. A last chunk of length 0 is followed by trailing
 * headers, which fill `trailers` with lower-case names, and by an empty line. See "Signature calculations for the Authorization header:
 * Including trailing headers".
 */
export async function* decodeAwsChunked(
  source: AsyncIterable<Buffer>,
  trailers: Map<string, string>,
): AsyncGenerator<Buffer> {
  const reader = new FrameReader(source);
  for (;;) {
    const header = await reader.line();
    const length = /^[0-9a-f]{1,8}(;.*)?$/i.test(header) ? Number.parseInt(header, 16) : Number.NaN;
    if (Number.isNaN(length)) throw malformedChunk(`"${header.slice(0, 40)}" is not a valid chunk length`);
    if (length === 0) break;
    yield* reader.bytes(length);
    if ((await reader.line()) !== "") throw malformedChunk("a chunk does not end with an empty line");
  }
  for (let line = await reader.line(); line !== ""; line = await reader.line()) {
    const colon = line.indexOf(":");
    if (colon < 1) throw malformedChunk(`"${line.slice(0, 40)}" is not a valid trailing header`);
    trailers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
}

/** Reads lines, or a given number of bytes, from a body that arrives in pieces of any size. */
class FrameReader {
  readonly #pieces: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#pieces = source[Symbol.asyncIterator]();
  }

  async line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf("\r\n");
      if (end >= 0) {
        const line = this.#rest.subarray(0, end).toString("latin1");
        this.#rest = this.#rest.subarray(end + 2);
        return line;
      }
      if (this.#rest.length > LINE_BYTES_MAX) throw malformedChunk("a line is too long");
      this.#rest = Buffer.concat([this.#rest, await this.#next()]);
    }
  }

  async *bytes(length: number): AsyncGenerator<Buffer> {
    for (let missing = length; missing > 0; ) {
      if (this.#rest.length === 0) this.#rest = await this.#next();
      const piece = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(piece.length);
      missing -= piece.length;
      yield piece;
    }
  }

  async #next(): Promise<Buffer> {
    const { done, value } = await this.#pieces.next();
    if (done) throw new AwsError("IncompleteBody", 400, "The aws-chunked body ended before its last chunk.");
    return value;
  }
}

function malformedChunk(problem: string): AwsError {
  return new AwsError("InvalidRequest", 400, `The aws-chunked body cannot be read: ${problem}.`);
}
