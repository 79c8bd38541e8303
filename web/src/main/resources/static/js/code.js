// Turns fields with code into an editor with colours, line numbers and search. The field remains the one that is sent:
// the editor keeps it up to date, and takes over what others write into it. Without this script, it is a plain field.
{
  const settings = document.currentScript.dataset;
  let library;

  const script = (path) => new Promise((resolve, reject) => {
    document.head.append(Object.assign(document.createElement('script'), { src: path, onload: resolve, onerror: reject }));
  });

  const styles = (path) => new Promise((resolve, reject) => {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: path, onload: resolve, onerror: reject }));
  });

  // Each file needs those before it.
  const load = () => {
    library ??= Promise.all([
      settings.styles.split(' ').reduce((before, path) => before.then(() => styles(path)), Promise.resolve()),
      settings.scripts.split(' ').reduce((before, path) => before.then(() => script(path)), Promise.resolve()),
    ]);
    return library;
  };

  // Merge fields and conditions, in text and attributes alike.
  const mergeFields = {
    token: (stream) => {
      if (stream.match(/^\{\{[^{}]*\}\}/)) return 'field';
      while (stream.next() && !stream.match('{{', false));
      return null;
    },
  };

  // In text without line breaks, each key would take almost half a second: it has no colours, and its lines are not wrapped.
  const tooLong = (lines) => lines.some((line) => line.length > 5000);
  const simplify = (editor) => editor.operation(() => {
    Object.entries({ mode: null, matchTags: false, lineWrapping: false }).forEach(([name, value]) => editor.setOption(name, value));
  });

  // Changes only the part that differs, so that the place of the cursor and the steps to undo stay.
  const takeOver = (editor, text) => {
    const old = editor.getValue();
    if (text === old) return;
    let start = 0;
    while (start < Math.min(old.length, text.length) && old[start] === text[start]) start += 1;
    let end = 0;
    while (end < Math.min(old.length, text.length) - start && old.at(-1 - end) === text.at(-1 - end)) end += 1;
    editor.replaceRange(text.slice(start, text.length - end), editor.posFromIndex(start), editor.posFromIndex(old.length - end));
    editor.setCursor(editor.posFromIndex(text.length - end));
  };

  const enhance = (area) => {
    const label = area.labels[0];
    const focused = document.activeElement === area;
    const { selectionStart, selectionEnd } = area;
    const editor = globalThis.CodeMirror((element) => area.after(element), {
      value: area.value,
      mode: { name: 'htmlmixed', tags: { 'mj-style': [[null, null, 'css']] } },
      inputStyle: 'contenteditable',
      spellcheck: area.spellcheck,
      lineNumbers: true,
      lineWrapping: true,
      matchTags: true,
      matchBrackets: true,
      cursorBlinkRate: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 530,
      // Tab moves on, as everywhere on the page. Replacing is left out, because its dialog asks in the library's own words.
      extraKeys: { Tab: false, 'Shift-Tab': false, 'Ctrl-F': 'findPersistent', 'Cmd-F': 'findPersistent', 'Shift-Ctrl-F': false, 'Shift-Ctrl-R': false, 'Cmd-Alt-F': false, 'Shift-Cmd-Alt-F': false },
      phrases: { 'Search:': settings.search, '(Use /re/ syntax for regexp search)': settings.searchHint },
    });
    editor.addOverlay(mergeFields);
    if (tooLong(area.value.split('\n'))) simplify(editor);

    const input = editor.getInputField();
    label.id ||= `${area.id}-label`;
    input.setAttribute('role', 'textbox');
    input.setAttribute('aria-multiline', 'true');
    input.setAttribute('aria-labelledby', label.id);
    ['aria-describedby', 'aria-invalid'].filter((name) => area.hasAttribute(name)).forEach((name) => input.setAttribute(name, area.getAttribute(name)));

    // Left to the browser, text that replaces several lines removes parts of the editor with them.
    input.addEventListener('beforeinput', (event) => {
      if (event.inputType !== 'insertText' || event.isComposing || !event.data) return;
      event.preventDefault();
      editor.replaceSelection(event.data, null, '+input');
    });

    let own = false;
    editor.on('changes', (_, changes) => {
      if (changes.some((change) => tooLong(change.text))) simplify(editor);
      if (own) return;
      own = true;
      area.value = editor.getValue();
      area.dispatchEvent(new Event('input', { bubbles: true }));
      own = false;
    });
    const update = () => {
      if (own) return;
      own = true;
      takeOver(editor, area.value);
      own = false;
    };
    area.addEventListener('input', update);
    addEventListener('pageshow', update);
    // The editor reads some input a moment later, for example that of a phone's keyboard.
    area.form.addEventListener('formdata', (event) => {
      const { input: reader } = editor.display;
      if (reader.readDOMTimeout) reader.updateFromDOM();
      event.formData.set(area.name, area.value);
    });

    // Others focus the field and read its selection, for example to put something in.
    area.focus = () => {
      editor.focus();
      area.setSelectionRange(editor.indexFromPos(editor.getCursor('from')), editor.indexFromPos(editor.getCursor('to')));
    };
    editor.on('focus', () => area.dispatchEvent(new Event('focusin', { bubbles: true })));
    label.addEventListener('click', () => editor.focus());
    document.querySelectorAll(`a[href="#${area.id}"]`).forEach((link) => link.addEventListener('click', (event) => {
      event.preventDefault();
      editor.getWrapperElement().scrollIntoView({ block: 'center' });
      editor.focus();
    }));
    // It cannot measure itself while it is hidden.
    new IntersectionObserver((seen) => { if (seen.at(-1).isIntersecting) editor.refresh(); }).observe(editor.getWrapperElement());

    // The author may have begun to write before the editor was there.
    editor.setSelection(editor.posFromIndex(selectionStart), editor.posFromIndex(selectionEnd), { scroll: false });

    // The fault's line is in sight at once, and focus goes there.
    const line = Number(area.dataset.line ?? 0) - 1;
    if (line >= 0) {
      editor.addLineClass(line, 'wrap', 'fault-line');
      editor.setCursor({ line, ch: 0 }, null, { scroll: false });
      editor.scrollTo(null, editor.heightAtLine(Math.max(0, line - 4), 'local'));
    }

    area.hidden = true;
    if (focused) editor.focus();
  };

  // Nothing is loaded for a field that stays hidden.
  document.querySelectorAll('textarea[data-code]').forEach((area) => {
    const shown = new IntersectionObserver((seen) => {
      if (!seen.at(-1).isIntersecting) return;
      shown.disconnect();
      load().then(() => enhance(area));
    });
    shown.observe(area);
  });
}
