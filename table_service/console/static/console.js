/* The page's own few lines: say when the stream is lost, keep what was opened or scrolled when a part is swapped,
   keep the tab's title true. */
(function () {
  "use strict";
  var banner = document.getElementById("stream-lost");
  document.addEventListener("htmx:sseError", function () { banner.hidden = false; });
  document.addEventListener("htmx:sseOpen", function () { banner.hidden = true; });

  function nameOf(summary) { return summary.textContent.replace(/\d+\s*$/, "").trim(); }
  function countAlerts() {
    var badge = document.querySelector(".alerts .badge:not(.quiet)");
    var plain = document.title.replace(/^\(\d+\) /, "");
    document.title = badge ? "(" + badge.textContent.trim() + ") " + plain : plain;
  }

  var open = [], scrolled = 0;
  document.addEventListener("htmx:sseBeforeMessage", function (event) {
    open = Array.from(event.target.querySelectorAll("details[open] > summary"), nameOf);
    var lines = event.target.querySelector(".lines");
    scrolled = lines ? lines.scrollTop : 0;
  });
  document.addEventListener("htmx:sseMessage", function (event) {
    event.target.querySelectorAll("details > summary").forEach(function (summary) {
      if (open.indexOf(nameOf(summary)) >= 0) { summary.parentElement.open = true; }
    });
    var lines = event.target.querySelector(".lines");
    if (lines && scrolled) { lines.scrollTop = scrolled; }
    countAlerts();
  });
  countAlerts();
})();
