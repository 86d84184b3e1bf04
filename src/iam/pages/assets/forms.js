// Lets each form of a page be submitted once: the second click of a double click has no effect. The buttons are disabled
// after the event, because the value of a disabled button is not sent.
const submitted = new WeakSet();
// A user who stops a slow request can try again.
const RELEASE_MS = 15_000;

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement)) return;
  if (submitted.has(form)) {
    event.preventDefault();
    return;
  }
  submitted.add(form);
  setTimeout(() => setDisabled(form, true));
  setTimeout(() => release(form), RELEASE_MS);
});

// A browser that goes back may show the page as it was left.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) for (const form of document.forms) release(form);
});

function release(form) {
  submitted.delete(form);
  setDisabled(form, false);
}

function setDisabled(form, isDisabled) {
  for (const button of form.querySelectorAll('button[type="submit"]')) button.disabled = isDisabled;
}
