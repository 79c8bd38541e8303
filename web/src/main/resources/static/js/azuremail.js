// Small comforts. Every page works without them.

// Buttons that copy a text; without this script people select it themselves.
document.querySelectorAll('button[data-copy]').forEach((button) => {
  const source = document.getElementById(button.dataset.copy);
  const said = button.textContent;
  const select = () => {
    const range = document.createRange();
    range.selectNodeContents(source);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    return document.execCommand('copy');
  };
  const copy = () => (navigator.clipboard
    ? navigator.clipboard.writeText(source.textContent).then(() => true, select)
    : Promise.resolve(select()));
  button.hidden = false;
  button.addEventListener('click', () => copy().then((done) => {
    button.textContent = done ? button.dataset.copied : button.dataset.byHand;
    setTimeout(() => { button.textContent = said; }, 3000);
  }));
});

// A menu closes when something else is clicked, and on Escape, which leaves the focus on its button.
const openMenus = () => document.querySelectorAll('details.menu[open]');
document.addEventListener('click', (event) => {
  openMenus().forEach((menu) => { if (!menu.contains(event.target)) menu.open = false; });
});
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  openMenus().forEach((menu) => {
    menu.open = false;
    menu.querySelector('summary').focus();
  });
});

// A double click sends a form once. After a while it can be sent again: its answer may have been a file.
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.getAttribute('method') !== 'post') return;
  if (form.hasAttribute('data-sent')) event.preventDefault();
  form.setAttribute('data-sent', '');
  setTimeout(() => form.removeAttribute('data-sent'), 3000);
});

// Leaving a page with text that is not saved warns first.
document.querySelectorAll('form[data-unsaved]').forEach((form) => {
  let changed = form.dataset.unsaved === 'yes';
  form.addEventListener('input', () => { changed = true; });
  form.addEventListener('submit', () => { changed = false; });
  form.addEventListener('saved', () => { changed = false; });
  addEventListener('beforeunload', (event) => { if (changed) event.preventDefault(); });
});

// The offer to undo a sending disappears when the page shows that it has begun.
document.addEventListener('htmx:afterSettle', () => {
  if (document.querySelector('#progress[data-no-undo]')) document.querySelector('.notice:has(form)')?.remove();
});

// The column of links is longer than a low window: the page's own entry is in sight.
document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest' });
