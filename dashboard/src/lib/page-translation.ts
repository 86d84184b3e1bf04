/**
 * Keeps React working while the browser translates the page. Browsers replace text nodes by `<font>` elements, or move
 * them into such elements. React still holds the text nodes, and would fail to remove them or to insert before them.
 */

/** The element that replaces a text node. */
const standIns = new WeakMap<Node, Element>();

/** Notes which text nodes the browser has replaced. */
function note(records: readonly MutationRecord[]): void {
  for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    const text = [...removedNodes].find((node) => node instanceof Text);
    if (text === undefined) continue;
    // The replacement comes with the removal, or shortly before or after it.
    const candidates = [...addedNodes, previousSibling, nextSibling];
    const standIn = candidates.find((node) => node instanceof Element && node.localName === 'font');
    if (standIn instanceof Element) standIns.set(text, standIn);
  }
}

/** Returns the child of a parent that is the node, replaces it, or contains it. */
function childOf(parent: Node, node: Node): Node | undefined {
  const standIn = standIns.get(node);
  let child: Node | null = node.isConnected ? node : (standIn ?? node);
  while (child !== null && child.parentNode !== parent) child = child.parentNode;
  return child ?? undefined;
}

/** Installs the guards. Call it once, before the first page is drawn. */
export function surviveTranslation(): void {
  const observer = new MutationObserver(note);
  observer.observe(document.documentElement, { childList: true, subtree: true });
  // eslint-disable-next-line typescript/unbound-method -- called with the node as `this`
  const { removeChild, insertBefore } = Node.prototype;
  const value = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue');

  Node.prototype.removeChild = function remove<T extends Node>(this: Node, child: T): T {
    if (child.parentNode === this) return removeChild.call(this, child) as T;
    note(observer.takeRecords());
    const found = childOf(this, child);
    if (found !== undefined) removeChild.call(this, found);
    return child;
  };

  Node.prototype.insertBefore = function insert<T extends Node>(
    this: Node,
    node: T,
    before: Node | null,
  ): T {
    if (before === null || before.parentNode === this)
      return insertBefore.call(this, node, before) as T;
    note(observer.takeRecords());
    return insertBefore.call(this, node, childOf(this, before) ?? null) as T;
  };

  // New text replaces its translation, so that the browser translates the new text.
  Object.defineProperty(Node.prototype, 'nodeValue', {
    ...value,
    set(this: Node, text: string | null) {
      value?.set?.call(this, text);
      if (this.isConnected) return;
      note(observer.takeRecords());
      const standIn = standIns.get(this);
      if (standIn?.isConnected === true) standIn.replaceWith(this);
    },
  });
}
