import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import packageJson from '../package.json' with { type: 'json' };
import type { BackupOptions } from './cli/backup/backup.ts';
import type { RestoreOptions } from './cli/backup/restore.ts';
import type { ExportOptions } from './cli/export-logs.ts';
import { localOrigin } from './config/public-address.ts';
import {
  API_PREFIX,
  type Settings,
  SettingError,
  describeSettings,
  readSettings,
} from './config/settings.ts';
import { systemClock } from './lib/clock.ts';
import { isId } from './lib/ids.ts';
import { createSecret } from './lib/secrets.ts';

const USAGE = `latchkey ${packageJson.version}

Usage: latchkey [command] [--config file.json]

Commands:
  serve            start the server (default)
  migrate          update the database schema and exit
  audit verify     verify the audit log chains; the server may be running
  logs export      print gateway logs as JSON lines; the server may be running
  doctor           check the installation and its dependencies; exits with 1 if a check fails
  backup           copy the embedded database to a new directory; the server may be running
  restore          restore a backup to the data directory; the server must be stopped
  token generate   print a new API token for LATCHKEY_BOOTSTRAP_TOKEN
  user reset-password EMAIL
                   print a one-time link to set a password; it expires after one hour
  user remove-factors EMAIL
                   remove a user's authenticator app, passkeys and recovery codes
  user lock EMAIL  lock a user: sessions and mailed links end, and passwords, user tokens and
                   authorized apps stop working; account tokens keep working
  user unlock EMAIL
                   unlock a user: unexpired tokens and authorized apps work again
  user verify-email EMAIL
                   mark a user's email address as verified, without a mail
  keys list        list the keys that sign ID tokens
  keys rotate      rotate the signing keys: new keys are published now and used after ten minutes
  keys rotate-master
                   encrypt all secrets with a new master key; the server must be stopped

Options:
  --config FILE    JSON file with settings; environment variables take precedence
  --account ID     \`audit verify\`, \`logs export\`: only this account
  --gateway ID     \`logs export\`: only this gateway
  --since TIME, --until TIME
                   \`logs export\`: first time (inclusive) and last time (exclusive); RFC 3339 or a date
  --bodies         \`logs export\`: include request and response bodies
  --output FILE    \`logs export\`: write to a new file that only its owner can read
  --output DIRECTORY
                   \`backup\`: the directory to create
  --without-logs   \`backup\`: exclude gateway logs
  --with-master-key
                   \`backup\`: include the master key, so that the backup restores and decrypts by itself
  --from DIRECTORY \`restore\`: the backup
  --force          \`logs export\`, \`backup\`: replace existing output;
                   \`restore\`: move existing data aside
  --new-key FILE   \`keys rotate-master\`: file with the new key; LATCHKEY_MASTER_KEY has the old one
  --json           \`doctor\`: print JSON
  --now            \`keys rotate\`: end the old keys immediately, after a key was disclosed
  --help           show this help; \`latchkey serve --help\` also lists the settings
  --version        print the version
`;

/** The command line. Sets the exit code; never throws for a mistake of the caller. */
export async function run(argv: string[]): Promise<void> {
  // Each write handles its own error; an error event without a listener would end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        account: { type: 'string' },
        bodies: { type: 'boolean' },
        config: { type: 'string' },
        force: { type: 'boolean' },
        from: { type: 'string' },
        gateway: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        'new-key': { type: 'string' },
        now: { type: 'boolean' },
        output: { type: 'string' },
        since: { type: 'string' },
        until: { type: 'string' },
        version: { type: 'boolean' },
        'with-master-key': { type: 'boolean' },
        'without-logs': { type: 'boolean' },
      },
    });
    // The only operand there is follows the two words of its command.
    const [group, action, operand, ...rest] = positionals;
    const isAboutUser = group === 'user' && action !== undefined && rest.length === 0;
    const command = isAboutUser ? `user ${action}` : positionals.join(' ');
    if (values.version === true) print(`${packageJson.version}\n`);
    else if (values.help === true) print(command === 'serve' ? USAGE + settingsHelp() : USAGE);
    else await runCommand(command === '' ? 'serve' : command, { ...values, operand });
  } catch (error) {
    // One line, no stack: the reader is an operator.
    process.stderr.write(`latchkey: ${await explainError(error)}\n`);
    process.exitCode = 1;
  }
}

interface Options extends ExportOptions, BackupOptions, RestoreOptions {
  config?: string;
  json?: boolean;
  'new-key'?: string;
  now?: boolean;
  operand: string | undefined;
}

/** The options that only some commands have. */
const COMMANDS_OF_OPTIONS = {
  account: ['audit verify', 'logs export'],
  bodies: ['logs export'],
  force: ['logs export', 'backup', 'restore'],
  from: ['restore'],
  gateway: ['logs export'],
  json: ['doctor'],
  'new-key': ['keys rotate-master'],
  now: ['keys rotate'],
  output: ['logs export', 'backup'],
  since: ['logs export'],
  until: ['logs export'],
  'with-master-key': ['backup'],
  'without-logs': ['backup'],
} as const satisfies Partial<Record<keyof Options, readonly string[]>>;

/** @throws Error when an option would be ignored */
function checkOptions(command: string, options: Options): void {
  for (const [name, commands] of Object.entries(COMMANDS_OF_OPTIONS)) {
    const isGiven = options[name as keyof Options] !== undefined;
    if (!isGiven || commands.some((one) => one === command)) continue;
    throw new Error(`--${name} requires ${commands.join(' or ')}; see latchkey --help`);
  }
}

async function runCommand(command: string, options: Options): Promise<void> {
  checkOptions(command, options);
  const { config: configFile, account, now = false, operand } = options;
  switch (command) {
    case 'serve':
      return serve(await loadSettings(configFile));
    case 'migrate':
      return migrate(await loadSettings(configFile));
    case 'audit verify':
      return verifyAudit(await loadSettings(configFile), account);
    case 'logs export':
      return exportLogs(await loadSettings(configFile), options);
    case 'doctor':
      return doctor(() => loadSettings(configFile), options.json === true);
    case 'backup':
      return backup(await loadSettings(configFile), options);
    case 'restore':
      return restore(await loadSettings(configFile), options);
    case 'user reset-password':
      return printResetLink(await loadSettings(configFile), operand);
    case 'user remove-factors':
      return removeSecondFactors(await loadSettings(configFile), operand);
    case 'user lock':
      return changeLock(await loadSettings(configFile), 'lock', operand);
    case 'user unlock':
      return changeLock(await loadSettings(configFile), 'unlock', operand);
    case 'user verify-email': {
      const { verifyUserEmail } = await import('./cli/user-verify-email.ts');
      return print(await verifyUserEmail(await loadSettings(configFile), operand));
    }
    case 'keys list':
      return printKeys(await loadSettings(configFile));
    case 'keys rotate':
      return rotateKeys(await loadSettings(configFile), now);
    case 'keys rotate-master':
      return rotateMasterKey(await loadSettings(configFile), options['new-key']);
    case 'token generate':
      return print(`${createSecret('lkat_')}\n`);
    default:
      throw new Error(`unknown command "${command}"; see latchkey --help`);
  }
}

/** The database of the command, for errors. */
let databaseUrl: string | undefined;

async function loadSettings(configFile: string | undefined): Promise<Settings> {
  const file = configFile === undefined ? {} : await readConfigFile(configFile);
  const settings = readSettings(process.env, file, (message) => {
    process.stderr.write(`latchkey: ${message}\n`);
  });
  databaseUrl = settings.DATABASE_URL;
  return settings;
}

async function readConfigFile(path: string): Promise<Record<string, unknown>> {
  const text = await readFile(path, 'utf8');
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new SettingError(`the config file ${path} is not valid JSON`, { cause: error });
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new SettingError(`the config file ${path} must contain a JSON object`);
  }
  return content as Record<string, unknown>;
}

// Each command loads what it needs and no more: most of the time of a short one is loading.

async function serve(settings: Settings): Promise<void> {
  const { runServer } = await import('./cli/serve.ts');
  await runServer(settings);
}

async function migrate(settings: Settings): Promise<void> {
  const { openOwnDatabase } = await import('./cli/open-databases.ts');
  const database = openOwnDatabase(settings);
  try {
    const ran = await database.migrate();
    print(ran.length === 0 ? 'The schema is up to date.\n' : `Applied ${ran.join(', ')}.\n`);
  } finally {
    await database.close();
  }
}

// A long log takes its time: somebody waits.
const PROGRESS_ROWS = 100_000;

async function verifyAudit(settings: Settings, accountId: string | undefined): Promise<void> {
  if (accountId !== undefined && !isId(accountId)) {
    throw new Error('--account must be an account id: 32 hex digits');
  }
  const { openReadDatabase } = await import('./cli/open-databases.ts');
  const { verifyAuditLog } = await import('./iam/audit/verify-log.ts');
  const database = openReadDatabase(settings);
  const total = { chains: 0, rows: 0, broken: 0 };
  let read = 0;
  const onRows = (count: number): void => {
    const before = Math.trunc(read / PROGRESS_ROWS);
    read += count;
    if (Math.trunc(read / PROGRESS_ROWS) > before) process.stderr.write(`${read} rows read\n`);
  };
  try {
    for await (const chain of verifyAuditLog(database.read, onRows, accountId)) {
      const { scope = 'chain', chainId, rows, hash, fault } = chain;
      const finding = fault === undefined ? `head ${hash}` : `BROKEN: ${fault.message}`;
      print(`${scope} ${chainId}  ${rows} rows  ${finding}\n`);
      total.chains++;
      total.rows += rows;
      if (fault !== undefined) total.broken++;
    }
  } finally {
    await database.close();
  }
  print(`${total.chains} chains, ${total.rows} rows, ${total.broken} broken\n`);
  if (total.broken > 0) process.exitCode = 1;
}

async function exportLogs(settings: Settings, options: ExportOptions): Promise<void> {
  const { runExport } = await import('./cli/export-logs.ts');
  print(await runExport(settings, options));
}

async function doctor(load: () => Promise<Settings>, isJson: boolean): Promise<void> {
  const { diagnose, formatDiagnosis } = await import('./cli/doctor/doctor.ts');
  const diagnosis = await diagnose(load);
  print(isJson ? `${JSON.stringify(diagnosis, undefined, 2)}\n` : formatDiagnosis(diagnosis));
  if (diagnosis.verdict === 'fault') process.exitCode = 1;
}

async function backup(settings: Settings, options: BackupOptions): Promise<void> {
  const { runBackup } = await import('./cli/backup/backup.ts');
  print(await runBackup(settings, options));
}

async function restore(settings: Settings, options: RestoreOptions): Promise<void> {
  const { runRestore } = await import('./cli/backup/restore.ts');
  print(await runRestore(settings, options));
}

async function printResetLink(settings: Settings, email: string | undefined): Promise<void> {
  if (email === undefined) throw new Error('user reset-password needs an email address');
  if (!settings.PASSWORD_SIGN_IN) {
    throw new Error('passwords are turned off: set LATCHKEY_PASSWORD_SIGN_IN=true first');
  }
  const origin = settings.BASE_URL?.slice(0, -API_PREFIX.length) ?? localOrigin(settings);
  const { openSharedDatabase } = await import('./cli/open-databases.ts');
  const { makeResetLink } = await import('./iam/passwords/make-reset-link.ts');
  const database = openSharedDatabase(settings);
  try {
    print(`${await makeResetLink(database, systemClock, origin, email)}\n`);
  } finally {
    await database.close();
  }
}

async function removeSecondFactors(settings: Settings, email: string | undefined): Promise<void> {
  if (email === undefined) throw new Error('user remove-factors needs an email address');
  const { openSharedDatabase } = await import('./cli/open-databases.ts');
  const { removeFactors } = await import('./iam/second-factor/remove-factors.ts');
  const database = openSharedDatabase(settings);
  try {
    await removeFactors(database, systemClock, email);
    print('Second factors removed. A running server with SQLite applies this within one minute.\n');
  } finally {
    await database.close();
  }
}

async function changeLock(
  settings: Settings,
  change: 'lock' | 'unlock',
  email: string | undefined,
): Promise<void> {
  const { changeUserLock } = await import('./cli/user-lock.ts');
  print(await changeUserLock(settings, change, email));
}

async function printKeys(settings: Settings): Promise<void> {
  const { listKeys } = await import('./cli/keys.ts');
  print(await listKeys(settings));
}

async function rotateKeys(settings: Settings, isCompromised: boolean): Promise<void> {
  const keys = await import('./cli/keys.ts');
  print(await keys.rotateKeys(settings, isCompromised));
}

async function rotateMasterKey(settings: Settings, file: string | undefined): Promise<void> {
  const { runMasterKeyRotation } = await import('./cli/rotate-master-key.ts');
  print(await runMasterKeyRotation(settings, file));
}

function settingsHelp(): string {
  const entries = describeSettings().map(({ name, default: value, meaning, isSecret }) => {
    const shown = `${isSecret ? ' *' : ''}${value === '' ? '' : ` (default ${value})`}`;
    return `  ${name}${shown}\n      ${meaning}\n`;
  });
  return `\nSettings, as environment variables or in the config file. For settings marked with *, <NAME>_FILE can
name a file with the value:\n${entries.join('')}`;
}

function print(text: string): void {
  process.stdout.write(text, (error) => {
    // The reader of the output may end at any time, as `head` does.
    if (!error || (error as NodeJS.ErrnoException).code === 'EPIPE') return;
    process.exitCode = 1;
    process.stderr.write(`latchkey: cannot write the output: ${error.message}\n`);
  });
}

async function explainError(error: unknown): Promise<string> {
  if (databaseUrl === undefined) return describeError(error);
  const { explainPostgresError } = await import('./storage/postgres-errors.ts');
  const { parsePostgresUrl } = await import('./lib/postgres-url.ts');
  const place = parsePostgresUrl(databaseUrl)
    .addresses.map(({ name }) => name)
    .join(', ');
  return explainPostgresError(error, place) ?? describeError(error);
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A refused connection arrives as one error per address tried, with an empty message.
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(describeError).join('; ');
  }
  return error.message;
}
