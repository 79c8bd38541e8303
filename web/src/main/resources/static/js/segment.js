// A rule's questions depend on its subject: the form is shown again, as its button does without script.
document.querySelectorAll('#segment button[value=refresh]').forEach(button => { button.hidden = true; });
document.getElementById('segment')?.addEventListener('change', event => {
  if (event.target.matches('[data-refresh], select[name=list]')) {
    document.querySelector('#segment button[value=refresh].outline').click();
  }
});
