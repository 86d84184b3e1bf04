/**
 * A message that was not taken over. The text has codes alone: what a server says may quote the
 * recipient or the message, and neither is for the log.
 */
export class MailError extends Error {
  /**
   * What has the trouble: the server, so that no other message would fare better now; this message,
   * now; or this message for ever.
   */
  readonly scope: 'server' | 'message' | 'message-for-ever';

  constructor(message: string, scope: MailError['scope']) {
    super(message);
    this.scope = scope;
  }
}
