/* Notifications on this device: the browser gives an address of its push service, the console keeps it. */
(function () {
  "use strict";
  var d = document, button = d.getElementById("away-allow");
  if (!button) { return; }
  var said = d.getElementById("away-said");
  function octets(text) {
    var raw = atob(text.replace(/-/g, "+").replace(/_/g, "/") + "=".repeat((4 - text.length % 4) % 4));
    return Uint8Array.from(raw, function (letter) { return letter.charCodeAt(0); });
  }
  function coded(buffer) {
    return btoa(String.fromCharCode.apply(null, new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  }
  function keep(to) {
    window.htmx.ajax("POST", "/away/device", { swap: "none", values: { endpoint: to.endpoint, p256dh: coded(to.getKey("p256dh")), auth: coded(to.getKey("auth")) } });
  }
  async function subscribe() {
    var worker = await navigator.serviceWorker.ready, key = octets(button.dataset.key);
    var held = await worker.pushManager.getSubscription();
    if (held && coded(held.options.applicationServerKey || new ArrayBuffer(0)) !== button.dataset.key) { await held.unsubscribe(); held = null; }
    return held || worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  }
  if (!window.isSecureContext || !navigator.serviceWorker || !window.PushManager || !window.Notification) {
    button.disabled = true; said.textContent = button.dataset.unable; return;
  }
  button.addEventListener("click", function () {
    said.textContent = "";
    Notification.requestPermission().then(function (answer) {
      if (answer !== "granted") { throw new Error(answer); }
      return subscribe();
    }).then(keep).catch(function () { said.textContent = button.dataset.denied; });
  });
})();
