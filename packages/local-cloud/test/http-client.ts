import { type IncomingHttpHeaders, request } from "node:http";

/** A response as it came over the wire. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
  readonly json: () => unknown;
}

/** A request as it is to be sent, path and headers untouched. */
export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
}

/** Sends a request to a loopback port; unlike `fetch` it leaves the path as it is and lets `Host` be chosen. */
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
