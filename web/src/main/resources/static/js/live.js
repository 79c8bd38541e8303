// Elements with data-live follow what goes on (org.azuremail.web.live). One stream for the page says which thing changed;
// the element then fetches itself by htmx's trigger "live". Where there is no stream it fetches itself at growing intervals.
// A page in the background watches nothing.
(() => {
  const FASTEST = 2000;
  const SLOWEST = 60000;
  const PATIENCE = 10000;
  let stream = null;
  let watched = '';
  let wait = FASTEST;
  let timer = 0;
  let noStreams = !window.EventSource;

  const elements = () => [...document.querySelectorAll('[data-live]')];
  const names = () => [...new Set(elements().map((element) => element.dataset.live))].sort();

  // Nobody loses the menu or the numbers that are just open: the element follows when they are closed.
  const fetchAgain = (element) => {
    if (element.querySelector('details[open]')) element.dataset.late = 'yes';
    else element.dispatchEvent(new CustomEvent('live'));
  };

  const close = () => {
    if (stream) stream.close();
    stream = null;
    watched = '';
    clearTimeout(timer);
  };

  // The interval grows while nothing changes: what was fetched has the version that was there before.
  const ask = () => {
    const before = elements().map((element) => element.dataset.version).join();
    elements().forEach(fetchAgain);
    timer = setTimeout(() => {
      const same = elements().map((element) => element.dataset.version).join() === before;
      wait = same ? Math.min(SLOWEST, wait * 1.5) : FASTEST;
      if (names().length) ask();
    }, wait);
  };

  const poll = () => {
    noStreams = true;
    close();
    wait = FASTEST;
    timer = setTimeout(ask, wait);
  };

  const listen = (wanted) => {
    watched = wanted.join();
    stream = new EventSource('/live?' + wanted.map((name) => 'watch=' + encodeURIComponent(name)).join('&'));
    // A proxy that keeps everything to itself looks like a stream on which nothing ever comes.
    timer = setTimeout(poll, PATIENCE);
    stream.addEventListener('state', (event) => {
      clearTimeout(timer);
      const [name, version] = event.data.split(' ');
      elements().filter((element) => element.dataset.live === name && element.dataset.version !== version).forEach(fetchAgain);
    });
    stream.addEventListener('error', () => { if (stream && stream.readyState === EventSource.CLOSED) poll(); });
  };

  const follow = () => {
    const wanted = document.hidden ? [] : names();
    if (!wanted.length) { close(); return; }
    if (noStreams) { if (!timer) poll(); return; }
    if (wanted.join() !== watched) { close(); listen(wanted); }
  };

  document.addEventListener('visibilitychange', () => { close(); timer = 0; follow(); });
  document.addEventListener('toggle', (event) => {
    const element = event.target.closest('[data-live][data-late]');
    if (element) fetchAgain(element);
  }, true);
  // An answer that was under way when a menu was opened does not close it.
  document.addEventListener('htmx:beforeSwap', (event) => {
    const element = event.target.closest('[data-live]');
    if (element && element.querySelector('details[open]')) {
      element.dataset.late = 'yes';
      event.detail.shouldSwap = false;
    }
  });
  document.addEventListener('htmx:afterSettle', follow);
  addEventListener('pagehide', close);
  addEventListener('pageshow', follow);
  follow();
})();
