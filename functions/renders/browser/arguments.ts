/**
 * How the browser is started. Web security is as people have it; what is otherwise:
 *
 * - Its own sandbox is off, since Lambda has no user namespaces, and it is a single process, since Lambda refuses what
 *   Chromium does at the start of a second one, `prctl(PR_SET_NO_NEW_PRIVS)`.
 * - Its network leads nowhere, below everything that a page may think of: each connection, this machine's own addresses
 *   among them, would go by a proxy whose name there is not, and no name leads to an address. Interception answers before.
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
