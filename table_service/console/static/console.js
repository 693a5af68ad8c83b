/* The page's own few lines: say when the stream is lost, keep opened details open, keep the tab's title true. */
(function () {
  "use strict";
  var banner = document.getElementById("stream-lost");
  document.addEventListener("htmx:sseError", function () { banner.hidden = false; });
  document.addEventListener("htmx:sseOpen", function () { banner.hidden = true; });

  var open = [];
  document.addEventListener("htmx:sseBeforeMessage", function (event) {
    open = Array.prototype.map.call(event.target.querySelectorAll("details[open] > summary"), function (s) {
      return s.textContent.replace(/\d+\s*$/, "").trim();
    });
  });
  document.addEventListener("htmx:afterSettle", function (event) {
    event.target.querySelectorAll("details > summary").forEach(function (s) {
      if (open.indexOf(s.textContent.replace(/\d+\s*$/, "").trim()) >= 0) { s.parentElement.open = true; }
    });
    var badge = document.querySelector(".alerts .badge:not(.quiet)");
    var plain = document.title.replace(/^\(\d+\) /, "");
    document.title = badge ? "(" + badge.textContent + ") " + plain : plain;
  });
})();
