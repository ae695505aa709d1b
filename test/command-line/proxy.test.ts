import { createServer, type IncomingMessage, request as requestTo, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { describeFailure, sendRequest } from "../../packages/cli/src/service/network.ts";
import { listen, setEnvironment } from "./programs.ts";
import { runInProcess } from "./run-in-process.ts";

const password = "s3cret-of-the-proxy";

let restore: () => void;
let service: string;
let encrypted: string;
let proxy: string;
let requests: string[] = [];
let credentials: (string | undefined)[] = [];
let refusal: number | undefined;
const servers: Server[] = [];

async function start(server: Server): Promise<string> {
  servers.push(server);
  return listen(server);
}

beforeAll(async () => {
  service = await start(
    createServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end('{"drops": [], "total": 0}');
    }),
  );
  // The server has no certificate: the tests check only that a tunnel is opened.
  encrypted = (await start(createTlsServer(() => {}) as unknown as Server)).replace("http:", "https:");
  const server = createServer((request, response) => {
    note(request);
    if (refusal !== undefined) return void response.writeHead(refusal).end("<h1>Denied</h1>");
    const { method, headers } = request;
    const onward = requestTo(request.url ?? "", { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  server.on("connect", (request: IncomingMessage, socket: Duplex) => {
    note(request);
    if (refusal !== undefined) return void socket.end(`HTTP/1.1 ${refusal} Denied\r\n\r\n`);
    const [host = "", port] = (request.url ?? "").split(":");
    const onward = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    for (const one of [onward, socket]) one.on("error", () => one.destroy());
  });
  proxy = await start(server);
});
afterEach(() => {
  restore();
  requests = [];
  credentials = [];
  refusal = undefined;
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

function note(request: IncomingMessage): void {
  requests.push(`${request.method} ${request.url}`);
  credentials.push(request.headers["proxy-authorization"]);
}

/** Lists drops with these variables. */
function list(variables: Readonly<Record<string, string>>, address = service) {
  restore = setEnvironment({ DROPLEAF_URL: address, DROPLEAF_TOKEN: "hb_1", ...variables });
  return runInProcess(["list"]);
}

const withPassword = () => proxy.replace("http://", `http://ada:${password}@`);

test.each([
  ["http_proxy", () => proxy],
  ["HTTP_PROXY", () => `${proxy}/`],
  ["ALL_PROXY", () => proxy.replace("http://", "")],
])("%s is used for an http: service, with the whole URL in the request line", async (name, value) => {
  expect(await list({ [name]: value() })).toMatchObject({ exitCode: 0 });

  expect(requests).toEqual([expect.stringContaining(`GET ${service}/api/drops?`)]);
});

test("a lower-case variable has precedence over upper case, and an empty one disables the proxy", async () => {
  expect(await list({ HTTP_PROXY: proxy, http_proxy: "" })).toMatchObject({ exitCode: 0 });

  expect(requests).toEqual([]);
});

test.each([["127.0.0.1"], ["*"], ["example.com, 127.0.0.1"], [".0.0.1"], ["<host and port>"]])(
  "with NO_PROXY=%s the service is reached without the proxy",
  async (noProxy) => {
    const value = noProxy.replace("<host and port>", new URL(service).host);
    expect(await list({ HTTP_PROXY: proxy, NO_PROXY: value })).toMatchObject({ exitCode: 0 });

    expect(requests).toEqual([]);
  },
);

test.each(["example.com", "127.0.0.1:1", "7.0.0.1"])(
  "with NO_PROXY=%s the service is reached through the proxy",
  async (noProxy) => {
    await list({ HTTP_PROXY: proxy, NO_PROXY: noProxy });

    expect(requests).toHaveLength(1);
  },
);

test("localhost is reached through the proxy unless NO_PROXY names it", async () => {
  const address = service.replace("127.0.0.1", "localhost");
  await list({ HTTP_PROXY: proxy }, address);
  restore();
  await list({ HTTP_PROXY: proxy, NO_PROXY: "localhost" }, address);

  expect(requests).toHaveLength(1);
});

test("HTTPS_PROXY opens a tunnel with the credentials in the proxy's URL", async () => {
  restore = setEnvironment({ HTTPS_PROXY: withPassword(), HTTP_PROXY: "http://127.0.0.1:1" });

  await sendRequest(encrypted, { signal: AbortSignal.timeout(5_000) }).catch(() => {});

  expect(requests).toEqual([`CONNECT ${new URL(encrypted).host}`]);
  expect(credentials).toEqual([`Basic ${Buffer.from(`ada:${password}`).toString("base64")}`]);
});

test.each([
  [403, "allow the host"],
  [407, "user name and a password"],
])("a proxy that refuses with %i is named in the error, without its password", async (status, advice) => {
  restore = setEnvironment({ HTTPS_PROXY: withPassword() });
  refusal = status;
  const error = await sendRequest(encrypted, { signal: AbortSignal.timeout(5_000) }).catch((cause) => cause);
  const message = describeFailure(encrypted, error);
  restore();
  const plain = await list({ HTTP_PROXY: withPassword() });

  expect(message).toContain(`The proxy ${new URL(proxy).host} of HTTPS_PROXY refused the connection`);
  expect(message).toContain(advice);
  expect(plain).toMatchObject({ exitCode: 1, out: "" });
  expect(plain.notes).toMatch(/proxy/i);
  expect(`${message}${plain.notes}`).not.toContain(password);
});

test.each([
  ["http://ada:s3cret@127.0.0.1:1", 1, "through the proxy 127.0.0.1:1 of HTTP_PROXY"],
  ["ftp://ada:s3cret@proxy", 2, "HTTP_PROXY is not a usable proxy"],
  ["http://ada:s3cret@", 2, "HTTP_PROXY is not a usable proxy"],
])("an unusable proxy is reported without its password: %s", async (value, exitCode, sentence) => {
  const outcome = await list({ HTTP_PROXY: value });

  expect(outcome).toMatchObject({ exitCode, out: "" });
  expect(outcome.notes).toContain(sentence);
  expect(outcome.notes).not.toContain("s3cret");
});
