// Search runs in a worker, and browsers start no worker from a file. So in pages that are read from
// a folder, the worker's script runs in a hidden frame with the interface of a worker.
if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inner = frame.contentWindow;
      inner.postMessage = (data) => {
        const message = new MessageEvent("message", { data });
        this.dispatchEvent(message);
        this.onmessage?.(message);
      };
      inner.importScripts = (...urls) => Promise.all(urls.map((each) => this.load(inner, each)));
      this.deliver = (data) => inner.dispatchEvent(new inner.MessageEvent("message", { data }));
      this.ready = this.load(inner, url);
    }

    load(inner, url) {
      return new Promise((resolve, reject) => {
        const script = inner.document.createElement("script");
        script.src = new URL(url, document.baseURI).href;
        script.onload = resolve;
        script.onerror = reject;
        inner.document.head.append(script);
      });
    }

    postMessage(data) {
      this.ready = this.ready.then(() => this.deliver(data));
    }

    terminate() {}
  };
}
