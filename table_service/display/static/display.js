/* The screen's own few lines: the table lost, a sentence that goes by itself, a list that stays open. */
(function () {
  "use strict";
  var d = document, lost = d.getElementById("lost"), said = d.getElementById("said"), timer = 0, open = false, focus = null;
  d.addEventListener("htmx:sseError", function () { lost.hidden = false; });
  d.addEventListener("htmx:sseOpen", function () { lost.hidden = true; });
  d.addEventListener("htmx:sendError", function () { lost.hidden = false; });
  d.addEventListener("htmx:sseBeforeMessage", function () {
    var call = d.getElementById("call");
    open = !!(call && call.open); focus = d.activeElement && d.activeElement.id;
  });
  d.addEventListener("htmx:sseMessage", function () {
    var call = d.getElementById("call"), back = focus && d.getElementById(focus);
    if (call && open) { call.open = true; }
    if (back) { back.focus({ preventScroll: true }); }
  });
  d.addEventListener("htmx:afterRequest", function (event) {
    var call = event.detail.elt.closest && event.detail.elt.closest("details.call");
    if (call) { call.open = false; open = false; }
  });
  d.addEventListener("htmx:afterSwap", function (event) {
    if (event.target === said && said.textContent) { clearTimeout(timer); timer = setTimeout(function () { said.textContent = ""; }, 8000); }
  });
})();
