import { CopyText } from '../../ui/copy.tsx';
import { Button } from '../../ui/button.tsx';
import { baseUrl } from '../../lib/site.ts';
import { Card, Fact, Facts, Page } from '../../ui/page.tsx';
import { LoadFailure, Loading } from '../../ui/states.tsx';
import { AttentionCard } from './attention-card.tsx';
import { Counts } from './counts.tsx';
import { useDismissedGuide } from './dismissed-guide.ts';
import { openSteps } from './first-steps.ts';
import { useGlance } from './glance.ts';
import { Guide } from './guide.tsx';
import { labels } from './labels.ts';
import { LatestActivity } from './latest-activity.tsx';

/** An account at a glance; for a new one, what to do first. */
export function Overview() {
  const { glance, isLoading, failure, retry } = useGlance();
  const { accountId, accountName, roles, can } = glance.access;
  const [isDismissed, setIsDismissed] = useDismissedGuide(accountId);
  if (isLoading) return <Loading />;
  // The button is gone then: whoever uses the keyboard goes on from the top of the page.
  const dismiss = (isAway: boolean): void => {
    setIsDismissed(isAway);
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  const steps = openSteps(glance);
  const isGuided = steps.length > 0 && !isDismissed;
  return (
    <Page
      title={accountName}
      lead={labels.yourRoleHere(roles.join(', '))}
      actions={
        steps.length > 0 &&
        isDismissed && <Button onClick={() => dismiss(false)}>{labels.showFirstSteps}</Button>
      }
    >
      {failure !== undefined && <LoadFailure error={failure} onRetry={retry} />}
      {isGuided && <Guide steps={steps} onDismiss={() => dismiss(true)} />}
      <AttentionCard glance={glance} isGuided={isGuided} />
      <Counts glance={glance} />
      {can('audit-logs.read') && <LatestActivity accountId={accountId} />}
      <Card title={labels.forPrograms}>
        <Facts>
          <Fact name={labels.baseUrl}>
            <CopyText text={baseUrl} label={labels.copyBaseUrl} />
          </Fact>
          <Fact name={labels.accountId}>
            <CopyText text={accountId} label={labels.copyAccountId} />
          </Fact>
        </Facts>
      </Card>
    </Page>
  );
}
