import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { renderMailHtml } from '../../src/iam/mail/mail-html.ts';
import { MailError } from '../../src/iam/mail/mail-error.ts';
import { createMailer } from '../../src/iam/mail/mailer.ts';
import { parseSmtpUrl } from '../../src/lib/smtp-url.ts';
import {
  type MailServerOptions,
  type ReceivedMail,
  refusal,
  startListener,
  startMailServer,
} from '../support/mail-server.ts';

const from = { name: 'latchkey', address: 'noreply@latchkey.example' };
const message = {
  id: 'the-id',
  to: 'someone.private@example.com',
  subject: 'A subject',
  text: 'The secret text',
  createdAtMs: Date.UTC(2026, 0, 1),
};

function send(url: string, changes: Partial<typeof message> = {}, stepTimeoutMs = 10_000) {
  const server = parseSmtpUrl(url);
  assert.ok(server !== undefined, url);
  const mailer = createMailer({ server, from, stepTimeoutMs });
  return mailer.send({ ...message, ...changes }, new AbortController().signal);
}

/** Fails as expected, with nothing in the error that is not for the log. */
async function assertFails(
  sending: Promise<void>,
  scope: MailError['scope'],
  expected: RegExp,
): Promise<void> {
  await assert.rejects(sending, (error: Error) => {
    assert.ok(error instanceof MailError);
    assert.equal(error.scope, scope, error.message);
    assert.match(error.message, expected);
    const all = inspect(error, { depth: 9, showHidden: true });
    assert.equal(/private|secret|pass-word/.test(all), false, all);
    return true;
  });
}

describe('the connection to the mail server', () => {
  const users: MailServerOptions = {
    authMethods: ['PLAIN', 'LOGIN'],
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, callback) {
      if (username === 'me@here' && password === 'pass-word/:@') callback(null, { user: username });
      else callback(new Error(`no such user ${username} with ${password}`));
    },
  };
  const login = 'me%40here:pass-word%2F%3A%40@';

  test('logs in when there are credentials', async (t) => {
    const server = await startMailServer(t, users);
    await send(server.url.replace('//', `//${login}`));
    assert.equal(server.received[0]?.user, 'me@here');
  });

  test('with wrong or missing credentials is trouble with the server', async (t) => {
    const server = await startMailServer(t, users);
    const wrong = server.url.replace('//', '//me%40here:pass-word-wrong@');
    await assertFails(
      send(wrong),
      'server',
      /^EAUTH AUTH PLAIN 535 \(127\.0\.0\.1:\d+\): the login failed: .* LATCHKEY_SMTP_URL$/,
    );
    await assertFails(
      send(server.url),
      'server',
      /^EENVELOPE MAIL FROM 530 \(.*\): the server requires a login/,
    );
    assert.equal(server.received.length, 0);
  });

  test('is encrypted where the server can, on this machine under any certificate', async (t) => {
    const upgraded = await startMailServer(t, { hideSTARTTLS: false });
    await send(upgraded.url);
    assert.equal(upgraded.received[0]?.secure, true);
    const implicit = await startMailServer(t, { secure: true });
    await send(implicit.url.replace('smtp:', 'smtps:'));
    assert.equal(implicit.received[0]?.secure, true);
  });

  // What reaches this machine too, but is not known for it.
  const elsewhere = (url: string): string => url.replace('127.0.0.1', '0.0.0.0');

  test('verifies the certificate when credentials or smtps: ask for it', async (t) => {
    const upgraded = await startMailServer(t, { ...users, hideSTARTTLS: false });
    const withLogin = elsewhere(upgraded.url).replace('//', `//${login}`);
    await assertFails(send(withLogin), 'server', /^E\w+ .*CERT.*: the certificate /);
    const implicit = await startMailServer(t, { secure: true });
    const url = elsewhere(implicit.url.replace('smtp:', 'smtps:'));
    await assertFails(send(url), 'server', /^E\w+ .*CERT.*: the certificate /);
    assert.equal(upgraded.received.length + implicit.received.length, 0);
  });

  test('is encrypted without a login under any certificate that a relay offers', async (t) => {
    const relay = await startMailServer(t, { hideSTARTTLS: false });
    await send(elsewhere(relay.url));
    assert.equal(relay.received[0]?.secure, true);
  });

  test('carries no credentials in the clear when it leaves the machine', async (t) => {
    let logins = 0;
    // As after somebody on the way has cut the offer out.
    const disabledCommands = ['STARTTLS'];
    const server = await startMailServer(t, { ...users, disabledCommands, onAuth: () => logins++ });
    const url = elsewhere(server.url);
    await assertFails(send(url.replace('//', `//${login}`)), 'server', /^ETLS/);
    assert.equal(logins, 0);
    // Without credentials it is mail as mail has always been.
    const open = await startMailServer(t);
    await send(elsewhere(open.url));
    assert.equal(open.received.length, 1);
  });
});

describe('a delivery', () => {
  test('fails for the server, the message or for ever, by what the server says', async (t) => {
    const cases: [number, string, MailError['scope']][] = [
      [450, '4.2.1', 'message'],
      [452, '4.2.2', 'message'],
      [550, '5.7.1', 'message'],
      [550, '5.1.8', 'message'],
      [550, '5.1.1', 'message-for-ever'],
      [553, '5.1.3', 'message-for-ever'],
      [556, '5.1.10', 'message-for-ever'],
      [550, '5.1.11', 'message'],
    ];
    for (const [code, enhanced, scope] of cases) {
      const server = await startMailServer(t, {
        onRcptTo: ({ address }, _session, callback) => callback(refusal(code, enhanced, address)),
      });
      await assertFails(
        send(server.url),
        scope,
        new RegExp(`^EENVELOPE RCPT TO ${code} ${enhanced.replaceAll('.', '\\.')}$`),
      );
    }
  });

  test('that the server breaks off is trouble with the server', async (t) => {
    const { url } = await startListener(t, (socket) => {
      socket.write('220 hello\r\n');
      socket.on('data', (command) => {
        socket.write(command.includes('RCPT') ? '421 4.3.2 not now, private\r\n' : '250 ok\r\n');
      });
    });
    await assertFails(send(url), 'server', /^E[A-Z]+ .*421 4\.3\.2 \(/);
  });

  test('whose sender is refused is trouble with the server', async (t) => {
    const server = await startMailServer(t, {
      onMailFrom: ({ address }, _session, callback) => callback(refusal(550, '5.1.1', address)),
    });
    await assertFails(
      send(server.url),
      'server',
      /^EENVELOPE MAIL FROM 550 5\.1\.1 \(.*LATCHKEY_MAIL_FROM$/,
    );
  });

  test('whose content is refused is trouble with the message', async (t) => {
    const server = await startMailServer(t, {
      onMessage: ({ body }) => Promise.reject(refusal(554, '5.6.0', body)),
    });
    await assertFails(send(server.url), 'message', /^EMESSAGE DATA 554 5\.6\.0$/);
  });

  test('to a server that hangs ends in time, wherever it hangs', async (t) => {
    const hanging = [
      '',
      '220 hello\r\n',
      '220 hello\r\n250 hello\r\n',
      '220 hello\r\n250 hello\r\n250 ok\r\n250 ok\r\n354 go on\r\n',
    ];
    for (const answers of hanging) {
      const { url } = await startListener(t, (socket) => void socket.write(answers));
      await assertFails(send(url, {}, 100), 'server', /^ETIMEDOUT (CONN|DATA) \(/);
    }
  });

  test('to a server that sends drop by drop ends too', async (t) => {
    const { url } = await startListener(t, (socket) => {
      socket.write('220 hello\r\n');
      // An answer to EHLO that goes on and on.
      const timer = setInterval(() => socket.write('250-hello\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    await assertFails(
      send(url, {}, 1_000),
      'server',
      /^the server took too long \(127\.0\.0\.1:\d+\)$/,
    );
  });

  test('to something that speaks no SMTP, or hangs up, is trouble with the server', async (t) => {
    const web = await startListener(t, (socket) => void socket.end('HTTP/1.1 400 secret\r\n\r\n'));
    await assertFails(send(web.url), 'server', /^E[A-Z]+ /);
    const closed = await startListener(t, (socket) => void socket.destroy());
    await assertFails(send(closed.url), 'server', /^E[A-Z]+ /);
  });

  test('puts what is not ASCII into words that every server takes', async (t) => {
    const server = await startMailServer(t, { hide8BITMIME: true });
    await send(server.url, { subject: 'Einladung – 招待', text: 'Grüße\n=20 und\n.\n..' });
    const [got] = server.received as [ReceivedMail];
    assert.match(got.headers.get('subject') ?? '', /^=\?UTF-8\?[QB]\?[ -~]+\?=$/);
    assert.ok(got.body.includes('Grüße\r\n=20 und\r\n.\r\n..\r\n'), got.body);
  });

  test('goes to one address, whatever a parser of lists would see in it', async (t) => {
    const server = await startMailServer(t);
    for (const to of [
      'a+b@example.com',
      "o'neil@example.com",
      'undisclosed=recipients@x.example',
    ]) {
      await send(server.url, { to });
    }
    assert.deepEqual(
      server.received.map((mail) => mail.to),
      [['a+b@example.com'], ["o'neil@example.com"], ['undisclosed=recipients@x.example']],
    );
  });
});

describe('the address of a mail server', () => {
  test('is read', () => {
    const base = { credentials: undefined, isImplicitTls: false, isLoopback: false };
    const cases = {
      'smtp://mail.example.com': { ...base, host: 'mail.example.com', port: 587 },
      'smtps://mail.example.com/': {
        ...base,
        host: 'mail.example.com',
        port: 465,
        isImplicitTls: true,
      },
      'smtp://localhost:25': { ...base, host: 'localhost', port: 25, isLoopback: true },
      'smtp://127.9.9.9': { ...base, host: '127.9.9.9', port: 587, isLoopback: true },
      'smtp://[::1]:2525': { ...base, host: '::1', port: 2525, isLoopback: true },
      'smtp://128.0.0.1': { ...base, host: '128.0.0.1', port: 587 },
      'smtp://localhost.example.com': { ...base, host: 'localhost.example.com', port: 587 },
      'smtps://a%40b:c%2Fd%3A@h:1': {
        ...base,
        host: 'h',
        port: 1,
        isImplicitTls: true,
        credentials: { user: 'a@b', password: 'c/d:' },
      },
    };
    for (const [url, expected] of Object.entries(cases)) {
      assert.deepEqual(parseSmtpUrl(url), expected, url);
    }
  });

  test('is refused when it is another, or half of one', () => {
    for (const url of [
      '',
      'mail.example.com',
      'http://mail.example.com',
      'smtp:mail.example.com',
      'smtp://',
      'smtp:///path',
      'smtp://h/path',
      'smtp://h?tls=no',
      'smtp://h#x',
      'smtp://h:99999',
      'smtp://user@h',
      'smtp://:password@h',
      'smtp://a%ZZ:b@h',
    ]) {
      assert.equal(parseSmtpUrl(url), undefined, url);
    }
  });
});

describe('the HTML alternative', () => {
  test('has the paragraphs and the lines of the text', () => {
    const text = 'Hello,\n\nopen:\nhttps://a.example/b?c=1&d=2\nor not.\r\n\r\n\nBye\n';
    assert.equal(
      renderMailHtml(text),
      `<!doctype html>
<html>
<body>
<p>Hello,</p>
<p>open:<br>
<a href="https://a.example/b?c=1&amp;d=2">https://a.example/b?c=1&amp;d=2</a><br>
or not.</p>
<p>Bye</p>
</body>
</html>
`,
    );
  });

  test('makes no link of an address within a line, which may be somebody else’s', () => {
    for (const line of [
      'to "https://x.example/"',
      'https://x.example/ x',
      ' https://x.example/',
      'https://x.example/"',
      'ftp://x.example/',
      'javascript:alert(1)',
    ]) {
      assert.equal(renderMailHtml(`a\n${line}\nb`).includes('<a '), false, line);
    }
  });

  test('holds nothing that the text could slip in', () => {
    const pieces = [
      '<script>',
      '"',
      "'",
      '&',
      'https://x.example/',
      ' ',
      '\n',
      'onclick=',
      '>',
      'a',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces)), (parts) => {
        const html = renderMailHtml(parts.join(''));
        const rest = html
          .replaceAll(/<a href="https:\/\/[^"<>']+">[^"<>']+<\/a>/g, '')
          .replaceAll(/<\/?(p|br|html|body)>|<!doctype html>/g, '');
        assert.doesNotMatch(rest, /[<>"']/);
        assert.doesNotMatch(html.replaceAll(/&(amp|lt|gt|quot|#39);/g, ''), /&/);
      }),
    );
  });
});
