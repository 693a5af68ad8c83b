/* A list of entries from a file: its text goes into the field, where it is looked at before anything is proposed. */
(function () {
  "use strict";
  var d = document;
  function text(bytes) {
    var mark = new Uint8Array(bytes.slice(0, 2)).join();
    if (mark === "255,254" || mark === "254,255") { return new TextDecoder(mark === "255,254" ? "utf-16le" : "utf-16be").decode(bytes); }
    try { return new TextDecoder("utf-8", { fatal: true }).decode(bytes); }
    catch (_error) { return new TextDecoder("windows-1252").decode(bytes); } // a spreadsheet of an older Windows
  }
  d.addEventListener("change", function (event) {
    var into = event.target.dataset && event.target.dataset.into, file = into && event.target.files[0];
    if (!file) { return; }
    file.arrayBuffer().then(function (bytes) { var field = d.getElementById(into); field.value = text(bytes); field.focus();
      d.querySelectorAll("[data-instead-of='" + into + "']").forEach(function (e) { e.checked = false; }); });
  });
  /* a list of entries as a file of any kind: its bytes go along, and the page shows how they are read */
  d.addEventListener("change", function (event) {
    var into = event.target.dataset && event.target.dataset.fileInto, file = into && event.target.files[0];
    if (event.target.dataset && "readsAgain" in event.target.dataset) { event.target.form.requestSubmit(d.getElementById("entries-again")); return; }
    if (!file) { return; }
    file.arrayBuffer().then(function (bytes) {
      var text = Array.from(new Uint8Array(bytes), function (one) { return String.fromCharCode(one); }).join("");
      d.getElementById(into).value = btoa(text).replace(/\+/g, "-").replace(/\//g, "_");
      event.target.form.requestSubmit();
    });
  });
  d.querySelectorAll("[data-with-script]").forEach(function (e) { e.hidden = false; });
})();
