import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import packageJson from '../package.json' with { type: 'json' };
import { type App, startApp } from './app.ts';
import { type Settings, SettingError, describeSettings, readSettings } from './config/settings.ts';
import { createSecret } from './lib/secrets.ts';
import { openDatabase } from './storage/database.ts';

const USAGE = `latchkey ${packageJson.version}

Usage: latchkey [command] [--config file.json]

Commands:
  serve            run the server (default)
  migrate          bring the database schema up to date and stop
  token generate   print a fresh, well-formed API token, for LATCHKEY_BOOTSTRAP_TOKEN

Options:
  --config FILE    JSON object with the same names as the environment variables, which win over it
  --help           show this; \`latchkey serve --help\` also lists the settings
  --version        print the version
`;

/** The command line. Sets the exit code; never throws for a mistake of the caller. */
export async function run(argv: string[]): Promise<void> {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        config: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    });
    const command = positionals.join(' ');
    if (values.version === true) print(`${packageJson.version}\n`);
    else if (values.help === true) print(command === 'serve' ? USAGE + settingsHelp() : USAGE);
    else await runCommand(command === '' ? 'serve' : command, values.config);
  } catch (error) {
    // One line, no stack: the reader is an operator.
    process.stderr.write(`latchkey: ${describeError(error)}\n`);
    process.exitCode = 1;
  }
}

async function runCommand(command: string, configFile: string | undefined): Promise<void> {
  switch (command) {
    case 'serve':
      return serve(await loadSettings(configFile));
    case 'migrate':
      return migrate(await loadSettings(configFile));
    case 'token generate':
      return print(`${createSecret('lkat_')}\n`);
    default:
      throw new Error(`there is no command "${command}"; see latchkey --help`);
  }
}

async function loadSettings(configFile: string | undefined): Promise<Settings> {
  const file = configFile === undefined ? {} : await readConfigFile(configFile);
  return readSettings(process.env, file, (message) => {
    process.stderr.write(`latchkey: ${message}\n`);
  });
}

async function readConfigFile(path: string): Promise<Record<string, unknown>> {
  const text = await readFile(path, 'utf8');
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new SettingError(`the config file ${path} is not JSON`, { cause: error });
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new SettingError(`the config file ${path} must hold a JSON object`);
  }
  return content as Record<string, unknown>;
}

async function serve(settings: Settings): Promise<void> {
  // A signal during the start stops it too, as soon as there is something to stop.
  const { promise: signalled, resolve: onSignal } = Promise.withResolvers<void>();
  let signals = 0;
  const handleSignal = (): void => {
    if (++signals > 1) process.exit(1);
    onSignal();
  };
  process.on('SIGTERM', handleSignal);
  process.on('SIGINT', handleSignal);
  const app = await startApp(settings);
  print(greeting(app));
  await signalled;
  await app.stop();
  process.exit(0);
}

function greeting(app: App): string {
  const lines = [`Latchkey is listening on ${app.origin}`, `  API           ${app.baseUrl}`];
  const { firstStart } = app;
  if (firstStart !== undefined) {
    lines.push('', 'This is the first start. Keep what follows: it is not shown again.');
    lines.push(`  account id    ${firstStart.accountId}`);
    lines.push(`  e-mail        ${firstStart.email}`);
    if (firstStart.password !== undefined) lines.push(`  password      ${firstStart.password}`);
    if (firstStart.token !== undefined) lines.push(`  API token     ${firstStart.token}`);
  }
  return `${lines.join('\n')}\n\n`;
}

async function migrate(settings: Settings): Promise<void> {
  const database = openDatabase(
    { databaseUrl: settings.DATABASE_URL, dataDir: settings.DATA_DIR },
    (error, message) => process.stderr.write(`latchkey: ${message}: ${error.message}\n`),
  );
  try {
    const ran = await database.migrate();
    print(ran.length === 0 ? 'The schema is up to date.\n' : `Applied ${ran.join(', ')}.\n`);
  } finally {
    await database.close();
  }
}

function settingsHelp(): string {
  const entries = describeSettings().map(({ name, default: value, meaning }) => {
    const shown = value === '' ? '' : ` (default ${value})`;
    return `  ${name}${shown}\n      ${meaning}\n`;
  });
  return `\nSettings, as environment variables or in the config file:\n${entries.join('')}`;
}

function print(text: string): void {
  process.stdout.write(text);
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A refused connection arrives as one error per address tried, with an empty message.
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(describeError).join('; ');
  }
  return error.message;
}
