import { useWatch } from 'react-hook-form';
import type { Gateway, GatewaySettings } from '../../../api/gateways.ts';
import { formatCount } from '../../../lib/figures.ts';
import { wholeNumber } from '../../../lib/time-span.ts';
import { Check, Fieldset } from '../../../ui/field.tsx';
import { NumberField, checkNumber } from './number-fields.tsx';
import { InWords, SettingsCard } from './settings-card.tsx';
import { useSettingsForm } from './use-settings-form.ts';

interface LogFields {
  collect_logs: boolean;
  zdr: boolean;
  isBounded: boolean;
  log_management: string;
  log_management_strategy: 'STOP_INSERTING' | 'DELETE_OLDEST';
}

const MOST_ROWS = 1_000_000_000;
const SOME_ROWS = 100_000;

function read(gateway: Gateway): LogFields {
  const { collect_logs, zdr, log_management: rows, log_management_strategy: strategy } = gateway;
  return {
    collect_logs,
    zdr,
    isBounded: rows !== null,
    log_management: String(rows ?? SOME_ROWS),
    log_management_strategy: strategy === 'STOP_INSERTING' ? strategy : 'DELETE_OLDEST',
  };
}

function write({ isBounded, log_management, ...rest }: LogFields): Partial<GatewaySettings> {
  return { ...rest, log_management: isBounded ? wholeNumber(log_management) : null };
}

/** What is logged of the requests, and how much of it is kept. */
export function LogSettings() {
  const form = useSettingsForm<LogFields>({ read, write });
  const { register, control, formState } = form;
  const fields = useWatch({ control }) as LogFields;
  return (
    <SettingsCard
      id="logs"
      title="Logs"
      lead="A row for each request: model, tokens, cost, times, and what was asked and answered. Credentials are left out."
      form={form}
    >
      <Check
        label="Keep a log"
        hint={
          <>
            A single request can change this with the header <code>cf-aig-collect-log</code>.
          </>
        }
        {...register('collect_logs')}
      />
      <Check
        label="Leave out the texts (zero data retention)"
        hint="Rows have figures only. Neither requests nor answers are stored, whatever headers a request has."
        {...register('zdr')}
      />
      <Check
        label="Limit the number of rows"
        hint="Without a limit, rows are kept for as long as this server is set to keep them."
        {...register('isBounded')}
      />
      {fields.isBounded && (
        <div className="space-y-5 border-l-2 border-line pl-5">
          <NumberField
            label="Rows"
            error={formState.errors.log_management?.message}
            input={register('log_management', {
              validate: (text, { isBounded }) => !isBounded || checkNumber(text, 1, MOST_ROWS),
            })}
          />
          <Fieldset legend="When the limit is reached">
            <div className="space-y-2">
              <Check
                type="radio"
                value="DELETE_OLDEST"
                label="Delete the oldest rows"
                {...register('log_management_strategy')}
              />
              <Check
                type="radio"
                value="STOP_INSERTING"
                label="Stop logging"
                hint="Requests still pass, but leave no row until older ones are deleted."
                {...register('log_management_strategy')}
              />
            </div>
          </Fieldset>
        </div>
      )}
      <InWords>{words(fields)}</InWords>
    </SettingsCard>
  );
}

function words({ collect_logs, zdr, isBounded, log_management, ...rest }: LogFields): string {
  if (!collect_logs) {
    return 'Nothing is logged. Analytics and today’s figures are made from the log, so they stay empty too.';
  }
  const kept = zdr
    ? 'The figures of each request are logged, without its text.'
    : 'Each request is logged with its text.';
  const rows = wholeNumber(log_management);
  if (!isBounded || Number.isNaN(rows)) return kept;
  return rest.log_management_strategy === 'STOP_INSERTING'
    ? `${kept} At ${formatCount(rows)} rows logging stops.`
    : `${kept} Of more than ${formatCount(rows)} rows, the oldest are deleted.`;
}
