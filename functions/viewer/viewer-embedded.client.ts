/**
 * Script of a viewer that other sites may frame. It runs before the viewer's own script. In a frame, the bar's links, including comments
 * and sharing, open in a new tab. The linked pages refuse frames, so that no site can trick a reader into acting there.
 */
if (window.top !== window) {
  for (const link of document.querySelectorAll<HTMLAnchorElement>("header a[href]")) {
    link.target = "_blank";
    link.rel = "noopener";
  }
  // Removes the ids of these links, so that the viewer's script does not open the linked forms inside the frame.
  for (const id of ["comments-toggle", "share-toggle"]) document.getElementById(id)?.removeAttribute("id");
}
