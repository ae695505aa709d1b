/**
 * Frame with an origin of its own between a host and an app (MCP Apps, "Sandbox proxy"). It writes the app into an inner frame and forwards
 * messages between the host and the app.
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
