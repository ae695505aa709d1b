/**
 * Script of a viewer that other sites may frame; it runs before the viewer's own. In a frame, links of the bar open in a new tab: the pages
 * behind them refuse frames, so that no site can trick a reader into acting there. Comments are written there, too.
 */
if (window.top !== window) {
  for (const link of document.querySelectorAll<HTMLAnchorElement>("header a[href]")) {
    link.target = "_blank";
    link.rel = "noopener";
  }
  // The viewer's script finds it by its id, and would show the form of comments here.
  document.getElementById("comments-toggle")?.removeAttribute("id");
}
