import { useWatch } from 'react-hook-form';
import type { Gateway, GatewaySettings } from '../../../api/gateways.ts';
import { formatCount } from '../../../lib/figures.ts';
import { wholeNumber } from '../../../lib/time-span.ts';
import { Check, Fieldset } from '../../../ui/field.tsx';
import { labels } from './labels.ts';
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
    isBounded: rows !== null && rows > 0,
    log_management: String(rows || SOME_ROWS),
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
      title={labels.logs}
      lead={labels.modelTokensCostTimingsRequest}
      form={form}
    >
      <Check
        label={labels.keepLogs}
        hint={
          <>
            Requests can override this with the header <code>cf-aig-collect-log</code>.
          </>
        }
        {...register('collect_logs')}
      />
      <Check
        label={labels.omitBodiesZeroDataRetention}
        hint={labels.logsContainFiguresOnlyRequests}
        {...register('zdr')}
      />
      <Check
        label={labels.limitTheNumberOfLogs}
        hint={labels.withoutALimitLogs}
        {...register('isBounded')}
      />
      {fields.isBounded && (
        <div className="space-y-5 border-l-2 border-line pl-5">
          <NumberField
            label={labels.logs}
            error={formState.errors.log_management?.message}
            input={register('log_management', {
              validate: (text, { isBounded }) => !isBounded || checkNumber(text, 1, MOST_ROWS),
            })}
          />
          <Fieldset legend={labels.atTheLimit}>
            <div className="space-y-2">
              <Check
                type="radio"
                value={labels.deleteOldest}
                label={labels.deleteTheOldestLogs}
                {...register('log_management_strategy')}
              />
              <Check
                type="radio"
                value={labels.stopInserting}
                label={labels.stopLogging}
                hint={labels.requestsStillSucceedBut}
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
    return labels.nothingIsLoggedAnalytics;
  }
  const kept = zdr ? labels.figuresOfEachRequest : labels.eachRequestIsLogged;
  const rows = wholeNumber(log_management);
  if (!isBounded || Number.isNaN(rows)) return kept;
  return rest.log_management_strategy === 'STOP_INSERTING'
    ? labels.loggingStopsAtLogs(kept, formatCount(rows))
    : labels.aboveLogsTheOldest(kept, formatCount(rows));
}
