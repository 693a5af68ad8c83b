/* A list to a chat group: its picture and its text, by the device's own sharing; where there is none, the text is copied. */
(function () {
  "use strict";
  var d = document;
  function say(button, word) { d.getElementById(button.dataset.say).textContent = button.dataset[word]; }
  function copy(button, text) {
    var field = d.createElement("textarea");
    field.value = text;
    d.body.appendChild(field);
    field.select();
    say(button, d.execCommand("copy") ? "done" : "failed");
    field.remove();
  }
  function share(button, text, picture) {
    var file = new File([picture], "tavolo.png", { type: "image/png" }), whole = { text: text, files: [file] };
    if (navigator.canShare && navigator.canShare(whole)) { return navigator.share(whole); }
    if (navigator.share) { return navigator.share({ text: text }); }
    return Promise.reject(new Error("shares nothing"));
  }
  d.addEventListener("click", function (event) {
    var button = event.target.closest("[data-share]");
    if (!button) { return; }
    var at = button.dataset.share.split("?"), query = at[1] ? "?" + at[1] : "";
    Promise.all(["txt", "png"].map(function (ending) {
      return fetch(at[0] + "." + ending + query).then(function (answer) { if (!answer.ok) { throw new Error(answer.status); } return ending === "txt" ? answer.text() : answer.blob(); });
    })).then(function (parts) {
      return share(button, parts[0], parts[1]).catch(function (error) { if (error.name !== "AbortError") { copy(button, parts[0]); } });
    }).catch(function () { say(button, "failed"); });
  });
})();
