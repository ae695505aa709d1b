import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** A TCP and UDP port of this machine that records all connections. */
export interface ListeningMachine {
  readonly port: number;
  /** The first line of each connection, and `udp` for each packet. */
  readonly heard: readonly string[];
  close(): Promise<void>;
}

export async function listenHere(): Promise<ListeningMachine> {
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    const index = heard.push("connection") - 1;
    socket.once("data", (data) => {
      heard[index] = data.toString("latin1").split("\r\n")[0] ?? "";
      socket.end("HTTP/1.1 200 OK\r\nconnection: close\r\naccess-control-allow-origin: *\r\n\r\n");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const packets = createSocket("udp4", () => heard.push("udp"));
  packets.bind(port, "127.0.0.1");
  await once(packets, "listening");
  return {
    port,
    heard,
    async close() {
      packets.close();
      server.close();
      await once(server, "close");
    },
  };
}

/** A page that tries every known way to connect to a port of its browser's machine, and to other addresses. */
export function reachingPage(port: number): string {
  const here = `http://127.0.0.1:${port}`;
  return `<!doctype html><html lang="en"><head><title>Reaching</title>
<link rel="preconnect" href="${here}"><link rel="dns-prefetch" href="${here}">
<link rel="prefetch" href="${here}/prefetch"><link rel="preload" as="image" href="${here}/preload">
<link rel="stylesheet" href="${here}/style"><link rel="icon" href="${here}/icon"><link rel="manifest" href="${here}/manifest">
<style>@import "${here}/import"; @font-face { font-family: f; src: url(${here}/font) } body { font-family: f; background: url(${here}/background) }</style>
<meta http-equiv="refresh" content="1; url=${here}/refresh"></head><body><h1>Reaching</h1>
<img src="${here}/img" alt=""><img src="http://localhost:${port}/img" alt=""><img src="http://[::1]:${port}/img" alt="">
<iframe src="${here}/iframe"></iframe><iframe srcdoc="<img src='${here}/srcdoc'>"></iframe><object data="${here}/object"></object><embed src="${here}/embed">
<video src="${here}/video"></video><iframe src="file:///proc/self/environ"></iframe><img src="http://169.254.169.254/latest/meta-data/" alt="">
<img src="http://127.0.0.1:9001/2018-06-01/runtime/invocation/next" alt="">
<form id="form" method="post" action="${here}/form"></form><a id="ping" href="#" ping="${here}/ping">a</a><a id="save" download href="${here}/download">b</a>
<script>
const tries = [
  () => fetch("${here}/fetch", { mode: "no-cors" }).catch(() => 0),
  () => fetch("file:///etc/passwd").catch(() => 0),
  () => navigator.sendBeacon("${here}/beacon", "x"),
  () => new EventSource("${here}/events"),
  () => new WebSocket("ws://127.0.0.1:${port}/socket"),
  () => { const x = new XMLHttpRequest(); x.open("POST", "${here}/xhr"); x.send("x"); },
  () => new Worker(URL.createObjectURL(new Blob(["fetch('${here}/worker', { mode: 'no-cors' }); try { importScripts('${here}/scripts') } catch {} new WebSocket('ws://127.0.0.1:${port}/worker-socket')"]))),
  () => new SharedWorker(URL.createObjectURL(new Blob(["fetch('${here}/shared')"]))),
  () => navigator.serviceWorker.register("${here}/service-worker"),
  () => { const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${port}" }, { urls: ["turn:127.0.0.1:${port}?transport=udp", "turn:127.0.0.1:${port}?transport=tcp"], username: "u", credential: "c" }] });
    peer.createDataChannel("x"); peer.createOffer().then((offer) => peer.setLocalDescription(offer)); },
  () => { const s = document.createElement("script"); s.type = "module"; s.textContent = "import('${here}/module')"; document.body.append(s); },
  () => { const s = document.createElement("script"); s.type = "speculationrules"; s.textContent = JSON.stringify({ prerender: [{ urls: ["${here}/prerender"] }], prefetch: [{ urls: ["${here}/speculated"] }] }); document.head.append(s); },
  () => new WebTransport("https://127.0.0.1:${port}/transport"),
  () => window.open("${here}/window"),
  () => document.querySelector("#ping").click(),
  () => document.querySelector("#save").click(),
  () => document.querySelector("#form").submit(),
  () => { location = "${here}/location"; },
];
for (const one of tries) try { Promise.resolve(one()).catch(() => 0) } catch {}
</script></body></html>`;
}
