/** Copies a text. @throws when the browser does not allow it */
export async function writeToClipboard(text: string): Promise<void> {
  // It is missing on a page that did not come over https or from this machine.
  const { clipboard } = navigator as { clipboard?: Clipboard };
  if (clipboard !== undefined) return clipboard.writeText(text);
  const put = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.clipboardData?.setData('text/plain', text);
  };
  document.addEventListener('copy', put);
  // eslint-disable-next-line typescript/no-deprecated -- there is nothing else on such a page
  const isCopied = document.execCommand('copy');
  document.removeEventListener('copy', put);
  if (!isCopied) throw new Error('the browser blocked copying');
}
