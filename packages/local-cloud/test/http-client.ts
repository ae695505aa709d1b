import { type IncomingHttpHeaders, request } from "node:http";

/** A received response. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
  readonly json: () => unknown;
}

/** A request whose path and headers are sent unchanged. */
export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
}

/** Sends a request to a loopback port. Unlike `fetch`, it keeps the path unchanged and accepts a `Host` header. */
export function send(
  port: number,
  path: string,
  { method = "GET", headers = {}, body }: Sent = {},
): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () => {
        const whole = Buffer.concat(chunks);
        const text = whole.toString();
        const json = () => JSON.parse(text);
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: whole, text, json });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
