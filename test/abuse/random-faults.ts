import http, { type RequestListener, type Server } from "node:http";
import { syncBuiltinESMExports } from "node:module";

// Loaded before the service (`node --import`): AWS of the local cloud fails now and then, as AWS documents that it may. Half of the failed
// requests were not carried out, and the responses of the others are lost.

/** Share of the requests to AWS that fail. */
const faultShare = Number(process.env.FAULT_SHARE);

const createServer = http.createServer.bind(http);

http.createServer = ((...args: readonly unknown[]): Server => {
  const listener = args.findLast((one) => typeof one === "function") as RequestListener | undefined;
  if (listener === undefined) return createServer(...(args as []));
  const options = args.filter((one) => one !== listener);
  return createServer(...(options as []), (request, response) => {
    const isForAws = /^AWS4-HMAC-SHA256/.test(request.headers.authorization ?? "");
    const chance = isForAws ? Math.random() / faultShare : 1;
    if (chance >= 1) return listener(request, response);
    if (chance < 0.5) {
      request.resume();
      response.writeHead(503, { connection: "close" }).end();
      return;
    }
    response.once("finish", () => request.socket.destroy());
    // Nothing that the service writes is sent.
    response.write = (() => true) as typeof response.write;
    response.end = (() => {
      request.socket.destroy();
      return response;
    }) as typeof response.end;
    listener(request, response);
  });
}) as typeof http.createServer;

syncBuiltinESMExports();
