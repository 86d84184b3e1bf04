// As a shell tells that a signal ended a process.
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

type Signal = keyof typeof EXIT_CODES;

/** What a long command watches, to stop where it can be stopped. */
export interface StopSignals {
  /** The code to exit with, once a signal has come. */
  readonly exitCode: number | undefined;
  /** Signals do again what they do by default. */
  end(): void;
}

/** Remembers a signal to stop; the second one does not wait. */
export function listenForSignals(): StopSignals {
  let exitCode: number | undefined;
  const onSignal = (name: NodeJS.Signals): void => {
    if (exitCode !== undefined) process.exit(EXIT_CODES[name as Signal]);
    exitCode = EXIT_CODES[name as Signal];
  };
  const names = Object.keys(EXIT_CODES) as Signal[];
  for (const name of names) process.on(name, onSignal);
  return {
    get exitCode() {
      return exitCode;
    },
    end: () => names.forEach((name) => process.off(name, onSignal)),
  };
}
