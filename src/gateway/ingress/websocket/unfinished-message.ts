import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { BodyBudget } from '../body-budget.ts';

// A connection takes about as much for itself.
const FREE_BYTES = 64 * 1024;
// In front of what a client's control frame says.
const CONTROL_HEAD_BYTES = 6;

// RFC 6455 section 7.4.1, and its registry.
const POLICY_VIOLATION = 1008;
const TRY_AGAIN_LATER = 1013;

/**
 * Bounds the message that is on its way over a connection: it is counted with the bodies that are in memory, and
 * must be whole in time. The connection of one that is not is closed.
 */
export function limitPartialMessage(
  webSocket: WebSocket,
  socket: Socket,
  bodies: BodyBudget,
  timeoutMs: number,
): void {
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const held: (() => void)[] = [];
  const clear = (): void => {
    bytes = 0;
    clearTimeout(timer);
    timer = undefined;
    for (const release of held.splice(0)) release();
  };
  const refuse = (code: number, reason: string): void => {
    clear();
    webSocket.close(code, reason);
    // Nothing more is taken of it: the connection is cut when the time to close is over.
    webSocket.pause();
  };
  const take = (chunk: Buffer): void => {
    if (webSocket.readyState !== webSocket.OPEN) return;
    bytes += chunk.length;
    timer ??= setTimeout(
      () => refuse(POLICY_VIOLATION, 'the message took too long to arrive'),
      timeoutMs,
    );
    if (bytes <= FREE_BYTES) return;
    const release = bodies.reserve(chunk.length);
    if (release === undefined)
      refuse(TRY_AGAIN_LATER, 'the server has too many messages in progress');
    else held.push(release);
  };
  const leaveOut = (control: Buffer): void => {
    bytes -= control.length + CONTROL_HEAD_BYTES;
    if (bytes <= 0) clear();
  };
  // Before the parser hears of it.
  socket.prependListener('data', take);
  webSocket.prependListener('message', clear);
  webSocket.on('ping', leaveOut);
  webSocket.on('pong', leaveOut);
  socket.once('close', clear);
}
