/* A field's text into the clipboard; where the browser lends none (no TLS), it is selected and copied as of old. */
(function () {
  "use strict";
  var d = document;
  d.addEventListener("click", function (event) {
    var button = event.target.closest("[data-copy]");
    if (!button) { return; }
    var field = d.getElementById(button.dataset.copy);
    function say(ok) { d.getElementById(button.dataset.say).textContent = ok ? button.dataset.done : button.dataset.failed; }
    function old() { field.select(); say(d.execCommand("copy")); }
    if (navigator.clipboard) { navigator.clipboard.writeText(field.value).then(function () { say(true); }, old); } else { old(); }
  });
})();
