/**
 * Detects that the host has stopped responding, so that the app can remove the page. A framed page can flood all its ancestor windows with
 * messages, and only the page's removal stops the flood.
 */
import type { App } from "@modelcontextprotocol/ext-apps";

const askAgainMs = 1_000;
/** Number of intervals without a response before the host is considered unresponsive. */
const silencesMax = 3;

/** True after the host's first response to a ping. Until then, silence is ignored, because the host may not support pings. */
let hasResponded = false;

/** Sends the Model Context Protocol's `ping` request to the host. An error is a response too. */
export function pingHost(app: App): Promise<void> {
  const handleResponse = () => {
    hasResponded = true;
  };
  return app.request({ method: "ping" }).then(handleResponse, handleResponse);
}

/** Calls `handleSilence` once when the host has stopped responding. Returns a function that ends the watch. */
export function watchHost(app: App, handleSilence: () => void): () => void {
  let isAsked = false;
  // Counts intervals instead of elapsed time, which may be hours after a computer wakes up.
  let silences = 0;
  const timer = setInterval(() => {
    if (document.hidden) return;
    if (isAsked) {
      silences += 1;
      if (hasResponded && silences === silencesMax) handleSilence();
      return;
    }
    isAsked = true;
    silences = 0;
    void pingHost(app).then(() => {
      isAsked = false;
    });
  }, askAgainMs);
  return () => clearInterval(timer);
}
