/* Three short tones when the time of who is in turn is over; a kiosk must let pages sound without a touch. */
(function () {
  "use strict";
  var d = document, box = d.getElementById("left"), over = false, audio = null;
  function tone(at) {
    var o = audio.createOscillator(), g = audio.createGain();
    o.frequency.value = 880; g.gain.value = 0.25; o.connect(g); g.connect(audio.destination);
    o.start(at); o.stop(at + 0.18);
  }
  function sound() {
    var Kind = window.AudioContext || window.webkitAudioContext, n;
    if (!Kind) { return; }
    audio = audio || new Kind();
    audio.resume();
    for (n = 0; n < 3; n += 1) { tone(audio.currentTime + 0.3 * n); }
    d.documentElement.dataset.sounded = String(Number(d.documentElement.dataset.sounded || 0) + 1);
  }
  function look() {
    var now = !!(box && box.querySelector("[data-over]"));
    if (now && !over) { sound(); }
    over = now;
  }
  d.addEventListener("htmx:sseMessage", look);
  look();
})();
