/**
 * Checks that the host still responds, and otherwise removes the page. A framed page can flood all its ancestor windows with messages, and
 * only the page's removal stops the flood.
 */
import type { App } from "@modelcontextprotocol/ext-apps";

const askAgainMs = 1_000;
/** Number of intervals without a response after which the host counts as unresponsive. */
const silencesMax = 3;

/** True if the host has ever responded to a ping. A host that never has may not support pings, so its silence means nothing. */
let hasAnswered = false;

/** Sends the Model Context Protocol's `ping` request to the host. An error counts as a response too. */
export function pingHost(app: App): Promise<void> {
  const answer = () => {
    hasAnswered = true;
  };
  return app.request({ method: "ping" }).then(answer, answer);
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
      if (hasAnswered && silences === silencesMax) handleSilence();
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
