/**
 * Command line of the browser. Web security is as in people's browsers, with two differences:
 *
 * - The browser's own sandbox is off, and it runs as a single process. Lambda has no user namespaces and refuses a call that
 *   Chromium makes when it starts a second process, `prctl(PR_SET_NO_NEW_PRIVS)`.
 * - The network is unreachable: every connection, loopback included, would use a proxy that does not exist, and no
 *   name resolves. Requests are intercepted first.
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
