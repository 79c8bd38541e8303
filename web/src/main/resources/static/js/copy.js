// Shows the buttons that copy a text; without this script people select it themselves.
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
    button.textContent = done ? 'Copied' : 'Please copy it by hand';
    setTimeout(() => { button.textContent = said; }, 3000);
  }));
});
