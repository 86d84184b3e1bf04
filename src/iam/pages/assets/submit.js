// Submits the form `[data-submit]` of a page, which only carries values on. Its button is for browsers without scripts.
const form = document.querySelector('form[data-submit]');
if (form instanceof HTMLFormElement) form.submit();
