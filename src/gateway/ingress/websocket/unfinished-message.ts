import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { BodyBudget } from '../body-budget.ts';

// A connection itself uses about as much memory.
const FREE_BYTES = 64 * 1024;
// The head of a control frame of a client.
const CONTROL_HEAD_BYTES = 6;

// RFC 6455 section 7.4.1, and its registry.
const POLICY_VIOLATION = 1008;
const TRY_AGAIN_LATER = 1013;

/**
 * Limits the incomplete message of a connection: its bytes count against the memory limit of all bodies, and it must be
 * complete in time. Otherwise, the connection is closed.
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
    // No more data is read, and the connection is cut after the time to close.
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
  // Before the parser reads it.
  socket.prependListener('data', take);
  webSocket.prependListener('message', clear);
  webSocket.on('ping', leaveOut);
  webSocket.on('pong', leaveOut);
  socket.once('close', clear);
}
