// Saves a draft while its author types, shows how it looks, and puts merge fields in. Every step works without it.
{
  const form = document.getElementById('composer');
  const draft = form.dataset.composer === 'draft';
  const dialog = document.getElementById('signed-out');
  const pause = 1200;
  let typed = 0;
  let saved = 0;
  let busy = false;
  let stopped = false;
  let shown = 0;
  let saveSoon;
  let sent;
  let showSoon;

  // The form as it is typed, without its files: those wait for a button, because they replace the typed text.
  const content = () => {
    const data = new FormData(form);
    ['htmlFile', 'textFile'].forEach((file) => data.delete(file));
    return data;
  };

  const say = (node) => document.getElementById('saved').replaceWith(document.importNode(node, true));

  const post = (path, data) => fetch(path, { method: 'POST', body: data, redirect: 'manual' });

  const parsed = async (answer) => new DOMParser().parseFromString(await answer.text(), 'text/html');

  // A page that refuses a form says under which token it would take it.
  const refusal = async (answer) => {
    const token = (await parsed(answer)).querySelector('[name="_csrf"]');
    if (token) form.elements._csrf.value = token.value;
  };

  const save = async (again) => {
    clearTimeout(saveSoon);
    if (busy || stopped || saved === typed) return;
    const upTo = typed;
    busy = true;
    try {
      const data = content();
      data.set('act', 'SAVE');
      const answer = await post(form.action, data);
      // More than a stranger may send is refused before anybody asks who sent it.
      const stranger = answer.status === 413 && (await fetch(form.action, { redirect: 'manual' })).type === 'opaqueredirect';
      if (stranger || answer.status === 401 || answer.status === 403) {
        await refusal(answer);
        if (answer.status === 403 && !again) {
          busy = false;
          await save(true);
        } else if (!dialog.open) {
          dialog.showModal();
        }
        return;
      }
      const line = (await parsed(answer)).getElementById('saved');
      if (!line) throw new Error(String(answer.status));
      say(line);
      stopped = answer.status === 409;
      if (line.dataset.etag) {
        form.elements.etag.value = line.dataset.etag;
        history.replaceState(null, '', form.action);
        saved = upTo;
        if (saved === typed) form.dispatchEvent(new Event('saved'));
        dialog.close();
      }
    } catch {
      // No connection: the next change, or a button, tries again.
      saveSoon = setTimeout(() => save(), pause * 8);
    } finally {
      busy = false;
    }
    if (sent) {
      form.requestSubmit(sent);
      return;
    }
    if (saved !== typed && !stopped) saveSoon = setTimeout(() => save(), pause * 8);
  };

  // The frame is a new one each time: the history of the tab gets no entry for it, and the old one stays until it is there.
  const show = async () => {
    clearTimeout(showSoon);
    shown += 1;
    const mine = shown;
    const data = content();
    const answer = await post('/messages/preview', data);
    const words = (await parsed(answer)).body;
    if (!answer.ok || mine !== shown) return;
    document.getElementById('preview-words').replaceChildren(...document.importNode(words, true).childNodes);
    const dark = form.querySelector('[name="view"]:checked').value === 'dark';
    const frames = () => [...form.querySelectorAll(dark ? 'iframe.dark' : 'iframe.light')];
    const old = frames().at(-1);
    const frame = old.cloneNode();
    frame.removeAttribute('src');
    frame.removeAttribute('loading');
    frame.name = `preview-${mine}`;
    old.after(frame);
    const sender = document.createElement('form');
    Object.assign(sender, { method: 'post', action: '/messages/preview.html', target: frame.name, enctype: 'multipart/form-data' });
    data.set('dark', String(dark));
    data.forEach((value, name) => {
      const field = Object.assign(document.createElement('textarea'), { name, value });
      sender.append(field);
    });
    sender.hidden = true;
    document.body.append(sender);
    frame.addEventListener('load', () => frames().slice(0, frames().indexOf(frame)).forEach((older) => older.remove()));
    sender.submit();
    sender.remove();
  };

  form.addEventListener('input', (event) => {
    clearTimeout(showSoon);
    showSoon = setTimeout(show, event.target.name === 'view' ? 0 : pause / 2);
    if (event.target.hasAttribute('data-transient')) {
      event.stopImmediatePropagation();
      return;
    }
    typed += 1;
    clearTimeout(saveSoon);
    if (draft && form.elements.list?.value) saveSoon = setTimeout(() => save(), pause);
  }, true);

  const writing = () => document.getElementById('writing');

  // A button's own request comes last: a draft saved later, or at the same time, makes the next page out of date, and
  // a change of the blocks that is still under way would be lost.
  form.addEventListener('submit', (event) => {
    clearTimeout(saveSoon);
    const wait = busy || writing().ariaBusy;
    sent = wait ? event.submitter : undefined;
    if (wait) event.preventDefault();
  });

  // A form with unsaved text is previewed as it is typed, not as it is stored.
  if (form.dataset.unsaved === 'yes') show();

  // Back from the tab in which somebody signed in.
  addEventListener('focus', () => { if (dialog.open) save(); });
  dialog.querySelector('button').addEventListener('click', () => save());

  // Each button of the block editor, and each change between blocks and Markdown, asks for the form as it is afterwards.
  // Until it is there, further clicks do nothing, and whatever is typed meanwhile is sent again.
  const changed = async (command) => {
    const upTo = typed;
    const data = content();
    data.set('block-act', command);
    const answer = await post(form.action, data).catch(() => null);
    const page = answer?.ok && await parsed(answer);
    return upTo === typed ? page && page.getElementById('writing') : changed(command);
  };
  // The place of a block after a change. A block that is new has the focus.
  const placeAfter = (block, command, added, focused) => {
    const at = Number(command.split('-')[1]);
    if (added > 0) return block + (block >= focused);
    if (added < 0) return block === at ? -1 : block - (block > at);
    const other = at + (command.startsWith('up-') ? -1 : command.startsWith('down-') ? 1 : 0);
    return block === at ? other : block === other ? at : block;
  };
  // An author who has gone on to write in a block stays there, and so does that line on the screen.
  const replaceWriting = (next, command) => {
    const now = document.activeElement;
    const { top } = now.getBoundingClientRect();
    const [start, end] = [now.selectionStart, now.selectionEnd];
    const blocks = () => [...writing().querySelectorAll('.block')];
    const count = blocks().length;
    writing().replaceWith(document.importNode(next, true));
    const focused = blocks().findIndex((block) => block.querySelector('[autofocus]'));
    const [, block, part] = now.id.match(/^block-(\d+)(-.+)/) || [];
    const place = block && placeAfter(Number(block), command, blocks().length - count, focused);
    const field = document.getElementById(`block-${place}${part}`);
    if (!field) return false;
    field.focus({ preventScroll: true });
    if (start != null) field.setSelectionRange(start, end);
    scrollBy({ top: field.getBoundingClientRect().top - top, behavior: 'instant' });
    return true;
  };
  const change = async (button, command) => {
    if (writing().ariaBusy) return;
    writing().ariaBusy = 'true';
    const before = document.activeElement;
    const next = await changed(command);
    writing().ariaBusy = null;
    if (next) {
      const now = document.activeElement;
      const elsewhere = now !== before && now !== document.body && !writing().contains(now);
      const stays = replaceWriting(next, command);
      // An author who has gone on to another field stays there.
      if (!stays && !elsewhere) writing().querySelector('[autofocus]')?.focus();
      form.dispatchEvent(new Event('input'));
    }
    const submit = next ? sent : button || sent;
    if (submit) form.requestSubmit(submit);
  };
  form.addEventListener('click', (event) => {
    const button = event.target.closest('[name="block-act"]');
    if (!button) return;
    event.preventDefault();
    change(button, button.value);
  });
  form.addEventListener('change', (event) => {
    const { name, value } = event.target;
    if (name === 'format' && value !== 'html' && value !== writing().dataset.shown) change(null, 'show');
    if (name === 'template') event.target.closest('details').querySelector('summary span').textContent = event.target.nextElementSibling.textContent;
  });
  form.addEventListener('keydown', (event) => {
    const block = event.altKey && event.target.closest('.block');
    const button = block && block.querySelector(`[data-key="${CSS.escape(event.key)}"]:enabled`);
    if (!button) return;
    event.preventDefault();
    button.click();
  });

  // The result of a check of links takes the focus, unless its author has gone on to write.
  form.addEventListener('htmx:beforeSwap', (event) => {
    if (!document.activeElement.matches('#composer :is(input, textarea, select, [contenteditable])')) return;
    event.detail.serverResponse = event.detail.serverResponse.replace('tabindex="-1" autofocus', 'tabindex="-1"');
  });

  let field;
  form.addEventListener('focusin', (event) => {
    if (event.target.matches('#subject, #html, #text, #writing textarea, #writing input')) field = event.target;
  });
  form.querySelectorAll('[data-insert]').forEach((button) => button.addEventListener('click', () => {
    const fallback = document.getElementById('fallback').value.replace(/[{}|]/g, '').trim();
    const html = form.querySelector('[name="format"][value="html"]').checked;
    const usual = html ? form.elements.html : writing().querySelector('textarea');
    const into = (field?.isConnected && field.offsetParent ? field : usual) || document.getElementById('subject');
    into.focus();
    into.setRangeText(`{{${button.dataset.insert}${fallback ? `|${fallback}` : ''}}}`, into.selectionStart, into.selectionEnd, 'end');
    into.dispatchEvent(new Event('input', { bubbles: true }));
    button.closest('details').open = false;
  }));

  // The menu of images is filled whenever it opens: one may have been uploaded in another tab.
  const putImage = async ({ address, markdown }) => {
    const ofImage = (block) => block?.querySelector('[name$="-kind"][value="IMAGE"]') && block;
    let block = field?.isConnected && ofImage(field.closest('.block'));
    if (!block) {
      const blocks = () => [...writing().querySelectorAll('.block')];
      const count = blocks().length;
      const place = blocks().indexOf(field?.closest('.block')) + 1 || count;
      await change(null, `add-${place}-IMAGE`);
      // There may be no room for it, no connection, or another change under way.
      if (blocks().length === count) return;
      block = blocks()[place];
    }
    block.querySelector('[name$="-address"]').value = address;
    const alt = block.querySelector('[name$="-text"]');
    alt.value = markdown.slice(2, markdown.lastIndexOf(']('));
    alt.focus();
    alt.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const offerImages = (menu) => {
    const latest = menu.querySelector('.latest');
    menu.addEventListener('toggle', async () => {
      if (!menu.open) return;
      const answer = await fetch('/images/latest', { redirect: 'manual' });
      if (answer.ok) latest.replaceChildren(...document.importNode((await parsed(answer)).body, true).childNodes);
    });
    latest.addEventListener('click', (event) => {
      const button = event.target.closest('button');
      if (!button) return;
      menu.open = false;
      const html = form.querySelector('[name="format"][value="html"]').checked;
      if (!html && writing().dataset.shown === 'blocks') {
        putImage(button.dataset);
        return;
      }
      const into = html ? form.elements.html : form.elements.markdown;
      into.focus();
      into.setRangeText(html ? button.dataset.html : button.dataset.markdown, into.selectionStart, into.selectionEnd, 'end');
      into.dispatchEvent(new Event('input', { bubbles: true }));
    });
  };
  offerImages(document.getElementById('insert-image'));
}
