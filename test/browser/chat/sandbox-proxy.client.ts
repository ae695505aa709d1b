/**
 * The frame between a host and an app, on an origin of its own, as MCP Apps describes it ("Sandbox proxy"): it writes the app into an inner
 * frame and passes messages on, the host's to the app and the app's to the host.
 */
const inner = document.createElement("iframe");
inner.style.cssText = "display:block;width:100%;height:100%;border:0";
inner.setAttribute("sandbox", "allow-scripts allow-same-origin allow-forms");
document.body.append(inner);
const host = window.parent;

addEventListener("message", ({ source, data }) => {
  if (source === host && data?.method === "ui/notifications/sandbox-resource-ready") {
    const app = inner.contentDocument;
    app?.open();
    app?.write(data.params.html);
    app?.close();
  } else if (source === host) inner.contentWindow?.postMessage(data, "*");
  else if (source === inner.contentWindow) host.postMessage(data, "*");
});

host.postMessage({ jsonrpc: "2.0", method: "ui/notifications/sandbox-proxy-ready", params: {} }, "*");
