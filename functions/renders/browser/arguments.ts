/**
 * Command-line arguments of the browser. Its web security is the same as in a reader's browser, with two differences:
 *
 * - The browser's own sandbox is off, and the browser runs as a single process. Lambda has no user namespaces. It refuses
 *   `prctl(PR_SET_NO_NEW_PRIVS)`, which Chromium calls to start a second process.
 * - The network is unreachable: every connection, including loopback, would use a proxy that does not exist, and no
 *   name resolves. Playwright intercepts requests before they reach the network.
 */
export const browserArguments: readonly string[] = [
  "--no-sandbox",
  "--no-zygote",
  "--single-process",
  "--in-process-gpu",
  "--disable-dev-shm-usage",
  "--disable-webgl",
  "--disk-cache-size=1",
  "--font-render-hinting=none",
  "--proxy-server=http://nowhere.invalid:1",
  "--proxy-bypass-list=<-loopback>",
  "--host-resolver-rules=MAP * ~NOTFOUND",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--disable-quic",
  "--dns-prefetch-disable",
  "--no-pings",
  "--disable-domain-reliability",
];
