import type { ChildProcess } from 'node:child_process';

const children = new Set<ChildProcess>();

process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Ends a child with this process, where whoever started it does not come to it: an interrupted run. */
export function endWithUs(child: ChildProcess): void {
  children.add(child);
  child.once('exit', () => children.delete(child));
}
