// What a rule asks depends on what it is about: the form is shown again, as its button does without script.
document.getElementById('segment')?.addEventListener('change', event => {
  if (event.target.matches('[data-refresh], select[name=list]')) {
    document.querySelector('#segment button[value=refresh].outline').click();
  }
});
