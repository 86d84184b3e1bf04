import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Card, Fact, Facts } from '../../../ui/page.tsx';
import { Callout } from '../../../ui/badge.tsx';
import { Fieldset } from '../../../ui/field.tsx';
import {
  type Application,
  absentFlows,
  applications,
  findApplication,
} from '../form/applications.ts';
import { FlowFields } from '../form/flow-fields.tsx';
import type { ClientForm } from '../form/use-client-form.ts';
import { labels } from './labels.ts';

interface ApplicationStepProps {
  client: ClientForm;
  accountId: string;
}

/** What is being built, and what follows from it. */
export function ApplicationStep({ client, accountId }: ApplicationStepProps) {
  const chosen = findApplication(client.values.application);
  const choose = (application: Application): void =>
    client.assign({
      application: application.id,
      token_endpoint_auth_method: application.authMethod,
      grant_types: application.usesRefreshTokens
        ? ['authorization_code', 'refresh_token']
        : ['authorization_code'],
    });
  return (
    <div className="space-y-6">
      <Fieldset
        legend={<span className="sr-only">{labels.whatAreYouBuilding}</span>}
        hint={labels.theTypeDecidesIf}
        error={client.faultAt('application')?.reason}
      >
        <div className="grid gap-3 sm:grid-cols-2">
          {applications.map((application) => (
            <Choice
              key={application.id}
              application={application}
              isChosen={application === chosen}
              onChoose={() => choose(application)}
            />
          ))}
        </div>
      </Fieldset>
      {chosen !== undefined && <Meaning application={chosen} accountId={accountId} />}
      {chosen !== undefined && (
        <details className="rounded-xl border border-line bg-surface">
          <summary className="px-5 py-3 font-medium">{labels.customizeTheFlow}</summary>
          <div className="space-y-6 border-t border-line px-5 py-4">
            <FlowFields client={client} />
          </div>
        </details>
      )}
      <AbsentFlows accountId={accountId} />
    </div>
  );
}

interface ChoiceProps {
  application: Application;
  isChosen: boolean;
  onChoose: () => void;
}

function Choice({ application, isChosen, onChoose }: ChoiceProps) {
  const { id, title, text, icon: Icon } = application;
  return (
    <label
      className={clsx(
        'flex gap-3 rounded-xl border bg-surface p-4 sm:last:odd:col-span-2 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
        isChosen ? 'border-accent bg-accent-soft' : 'border-line hover:border-field-line',
      )}
    >
      <input
        type="radio"
        name="application"
        value={id}
        checked={isChosen}
        onChange={onChoose}
        aria-labelledby={`application-${id}`}
        aria-describedby={`application-${id}-text`}
        className="mt-1 size-4 shrink-0 accent-accent outline-none"
      />
      <span className="min-w-0 flex-1">
        <span id={`application-${id}`} className="block font-medium">
          {title}
        </span>
        <span id={`application-${id}-text`} className="mt-0.5 block text-sm text-muted">
          {text}
        </span>
      </span>
      <Icon aria-hidden className="size-5 shrink-0 text-muted" />
    </label>
  );
}

function Meaning({ application, accountId }: { application: Application; accountId: string }) {
  const { id, title, flow, secret, refresh } = application;
  return (
    <Card title={labels.recommended(title)}>
      <div role="status" className="space-y-4">
        <Facts>
          <Fact name={labels.flow}>{flow}</Fact>
          <Fact name={labels.secret}>{secret}</Fact>
          <Fact name={labels.refreshTokens}>{refresh}</Fact>
        </Facts>
        {id === 'agent' && (
          <Callout title={labels.noUserInvolved}>
            A job that acts for no user needs no OAuth client. <TokenLink accountId={accountId} />
          </Callout>
        )}
        <p className="text-sm text-muted">{labels.pkceBindsTheAuthorizationCode}</p>
      </div>
    </Card>
  );
}

function TokenLink({ accountId }: { accountId: string }) {
  return (
    <Link to="/accounts/$accountId/tokens/new" params={{ accountId }} className="underline">
      {labels.createAnApiToken}
    </Link>
  );
}

function AbsentFlows({ accountId }: { accountId: string }) {
  return (
    <details className="rounded-xl border border-line bg-surface">
      <summary className="px-5 py-3 font-medium">{labels.whyNotClientCredentialsImplicit}</summary>
      <div className="border-t border-line px-5 py-4">
        <Facts>
          {absentFlows.map(({ name, instead }) => (
            <Fact key={name} name={name}>
              {instead}
            </Fact>
          ))}
        </Facts>
        <p className="mt-3 text-[0.9375rem]">
          <TokenLink accountId={accountId} />
        </p>
      </div>
    </details>
  );
}
