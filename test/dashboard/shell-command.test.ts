import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { apiCommand, shellWord } from '../../dashboard/src/lib/shell-command.ts';
import { tokenCommand } from '../../dashboard/src/lib/token-request.ts';

// One shell for all of them: to start each would take longer than all that it does.
const SAMPLES = 400;

const NASTY = [
  '',
  ' ',
  "'",
  "''",
  `it's "$HOME" \`id\` $(id) !! \\ \\' \\\\`,
  'two\nlines\r\n\ttabbed\n',
  '-n',
  '--',
  '@/etc/passwd',
  '*?[a-z]{a,b}~',
  '# no comment',
  '%s%n\\0\\c',
  '&& id; id | id > x < y',
  'café 🐢 \u202Egnp.exe',
  "\u001B[201~'\u0003rm\u0007\u007F\u009B'",
];

const SECRET = `a 'secret' "$HOME"`;

const CHARACTERS = Array.from('\'"$`!\\\n \t;&|<>(){}[]*?~#%-=@a1é🐢');
const textOf = fc.string({ unit: fc.constantFrom(...CHARACTERS) });

/** What a shell passes to a program called `curl`. */
function argumentsIn(script: string): string[] {
  const output = execFileSync('sh', [], {
    input: `curl() { printf '%s\\0' "$@"; }\n${script}\n`,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], CLIENT_SECRET: SECRET, TOKEN: SECRET },
  });
  return output.split('\0').slice(0, -1);
}

test('whatever a text holds, a shell takes it for that one word', () => {
  const texts = [...NASTY, ...fc.sample(textOf, SAMPLES)];
  assert.deepEqual(argumentsIn(`curl ${texts.map(shellWord).join(' ')}`), texts);
  // Nothing that a terminal would act on when it is pasted.
  assert.doesNotMatch(NASTY.map(shellWord).join(''), /[^\P{Cc}\t\n\r]/u);
});

test('the command for tokens sends what it is made of, and takes the secret from its variable', () => {
  for (const [code, redirectUri, verifier] of [
    ['c0de', 'https://app.example/cb', 'v'],
    ...NASTY.map((text) => [text, `https://app.example/${text}`, text] as const),
  ] as const) {
    const given = { code, redirectUri, verifier };
    const fields = [
      ['--data-urlencode', 'grant_type=authorization_code'],
      ['--data-urlencode', `code=${code}`],
      ['--data-urlencode', `redirect_uri=${redirectUri}`],
      ['--data-urlencode', `code_verifier=${verifier}`],
    ].flat();
    const start = 'https://id.example/oauth2/token';
    const id = ['--data-urlencode', 'client_id=c1'];
    for (const [authMethod, expected] of [
      ['client_secret_basic', ['-u', `c1:${SECRET}`, ...fields]],
      ['client_secret_post', ['--data-urlencode', `client_secret=${SECRET}`, ...fields, ...id]],
      ['none', [...fields, ...id]],
    ] as const) {
      const command = tokenCommand('https://id.example', { id: 'c1', authMethod }, given);
      assert.deepEqual(argumentsIn(command), [start, ...expected], `${authMethod} ${code}`);
    }
  }
});

test('the command for the API sends its body, and takes the token from its variable', () => {
  const url = 'https://id.example/client/v4/tokens';
  const header = ['-H', `Authorization: Bearer ${SECRET}`];
  assert.deepEqual(argumentsIn(apiCommand({ url })), ['-sS', url, ...header]);
  for (const name of [...NASTY, ...fc.sample(textOf, 20)]) {
    const body = JSON.stringify({ name }, null, 2);
    const sent = argumentsIn(apiCommand({ url, method: 'PUT', body }));
    const rest = ['-H', 'Content-Type: application/json', '-d', body];
    assert.deepEqual(sent, ['-sS', '-X', 'PUT', url, ...header, ...rest]);
  }
});
