/**
 * Script of a viewer that other sites may frame; it runs before the viewer's own. In a frame, links of the bar open in a new tab: the pages
 * behind them refuse frames, so that no site can trick a reader into acting there. Comments and sharing are there, too.
 */
if (window.top !== window) {
  for (const link of document.querySelectorAll<HTMLAnchorElement>("header a[href]")) {
    link.target = "_blank";
    link.rel = "noopener";
  }
  // The viewer's script finds them by their ids, and would show the forms of comments and of sharing here.
  for (const id of ["comments-toggle", "share-toggle"]) document.getElementById(id)?.removeAttribute("id");
}
